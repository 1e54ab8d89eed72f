"""Ifrito: carpets that fly where their genies point."""
