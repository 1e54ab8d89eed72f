"""The former name of recompute_statistics, for one release."""

from .recompute_statistics import Command

__all__ = ["Command"]
