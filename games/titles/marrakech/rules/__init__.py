"""Marrakech for two, three or four players, with the options of every printed edition."""

from .rules import MARRAKECH

__all__ = ["MARRAKECH"]
