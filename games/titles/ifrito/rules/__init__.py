"""Ifrito: two planes, fifty genies, and carpets that fly where their genies point."""

from .rules import IFRITO

__all__ = ["IFRITO"]
