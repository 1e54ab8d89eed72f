"""Streams to open pages: that something changed, and never what.

A process of its own (ASGI) holds them all. `hub` knows who listens to what, `feeds` hear of
changes by Redis or by looking at the database, `admission` says who may listen, and `app` is
what a browser talks to.
"""
