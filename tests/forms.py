"""Reads the forms of a page and sends them as a browser without scripts would."""

from __future__ import annotations

from html.parser import HTMLParser


class _Forms(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[dict[str, str]] = []
        self._select = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.found.append({})
        name = given.get("name", "")
        if tag == "select":
            self._select = name
        if tag == "option" and "selected" in given and self.found:
            self.found[-1][self._select] = given["value"]
        unticked = given.get("type") in ("radio", "checkbox") and "checked" not in given
        if tag == "input" and name and not unticked and self.found:
            self.found[-1][name] = given.get("value", "")


def form_with(page: bytes, field: str) -> dict[str, str]:
    """What the first form of a page that has this field would send."""
    return next(form for form in forms_of(page) if field in form)


def forms_of(page: bytes) -> list[dict[str, str]]:
    forms = _Forms()
    forms.feed(page.decode())
    return forms.found
