"""Backups: all rows of all tables in one file that any Souk can restore, on either database.

A backup is lines of JSON, compressed, and encrypted if a passphrase is given:

    {"souk-backup": 1, "at": …, "release": …, "migrations": [[app, name], …]}
    {"table": "games.player", "columns": ["id", …]}
    [1, …]                         a row for each line, until the next table
    {"end": {"games.player": 1, …}}

The last line counts the rows, so that a file that was cut off is not taken for a whole one.
"""
