"""A whole deployment in trouble, for minutes: `python -m tests.chaos` (or `make chaos`).

Two web servers, workers of each kind (some with wrong clocks), two beats, PostgreSQL, Redis and
a mail server; people play by HTTP, some against bots, while processes are killed, servers freeze,
hang, refuse and go away, and connections are cut. Afterwards everything must be as if nothing had
happened.
"""
