"""The reckoning of a finished game: what was luck, what was given, and by whom.

All of it in whole millionths of a win, so that sums are exact and the same everywhere.
"""
