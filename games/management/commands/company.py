"""The former name of find_collusion, for one release."""

from .find_collusion import Command

__all__ = ["Command"]
