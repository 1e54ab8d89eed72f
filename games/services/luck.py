"""A lucky word for those who do not bring their own."""

from __future__ import annotations

import secrets

WORDS = """
almond amber apricot argan basil bazaar camel caravan cardamom cedar cinnamon clove copper
coral cumin date dune falcon fennel fig fountain garden ginger honey indigo ivory jasmine
juniper kettle lantern lemon loom madder market mint mirage mosaic moon myrtle nutmeg oasis
olive orange palm pepper pistachio pomegranate quince raisin rose saffron sandal sesame silk
silver slipper sparrow star sumac tassel teapot thread thyme turban walnut weaver well
zephyr
""".split()  # noqa: SIM905


def lucky_word() -> str:
    """Pleasant to read, and not to be guessed by those who join later."""
    return f"{secrets.choice(WORDS)}-{secrets.choice(WORDS)}-{secrets.randbelow(9000) + 1000}"
