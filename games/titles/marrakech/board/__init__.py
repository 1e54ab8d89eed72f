"""An observation as shapes for the drawing."""

from .drawing import draw
from .small import DRAWING_VERSION, small

__all__ = ["DRAWING_VERSION", "draw", "small"]
