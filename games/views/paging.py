"""Which page of a list is asked for, and the way to the next."""

from __future__ import annotations

from django.http import HttpRequest

LAST = 500
"""Nobody leafs further by hand, and the database would have to count its way there."""


def page_number(request: HttpRequest, name: str = "page") -> int:
    """From 1; anything that is not a page is the first one."""
    given = request.GET.get(name, "")
    if given.isascii() and given.isdigit() and len(given) < 6:
        return min(max(int(given), 1), LAST)
    return 1


def query_up_to(request: HttpRequest, name: str = "page") -> str:
    """The present query for a link to another page, all but the number of that page."""
    query = request.GET.copy()
    query.pop(name, None)
    query[name] = ""
    return query.urlencode()
