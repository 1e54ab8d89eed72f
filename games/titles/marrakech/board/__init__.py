"""An observation as shapes for the drawing."""

from .drawing import draw
from .small import small

__all__ = ["draw", "small"]
