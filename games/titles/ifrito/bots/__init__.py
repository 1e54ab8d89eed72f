"""Bots for Ifrito."""
