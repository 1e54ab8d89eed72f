"""Deliberate faults: each is put into a copy of the code, and the tests must notice it."""
