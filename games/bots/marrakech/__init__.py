"""Bots for Marrakech."""
