"""The former name of reactivate_address, for one release."""

from .reactivate_address import Command

__all__ = ["Command"]
