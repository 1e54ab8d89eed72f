"""Shapes of charts: pure geometry, drawn by templates."""
