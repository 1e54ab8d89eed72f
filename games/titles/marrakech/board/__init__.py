"""An observation as shapes for the drawing."""

from .drawing import draw

__all__ = ["draw"]
