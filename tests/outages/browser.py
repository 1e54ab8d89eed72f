"""A browser that plays over real HTTP, and does not wait for ever."""

from __future__ import annotations

import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass, field
from email.message import Message
from http.cookiejar import Cookie, CookieJar

from tools.patience import PATIENCE


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


@dataclass
class Answer:
    status: int
    body: str
    headers: Message


@dataclass
class Browser:
    port: int
    jar: CookieJar = field(default_factory=CookieJar)
    more: dict[str, str] = field(default_factory=lambda: {"HX-Request": "true"})
    """Headers that it sends."""

    def keep(self, name: str, value: str) -> None:
        """A cookie that some page of the site would have given."""
        nothing: dict[str, str] = {}
        local = (None, False, "127.0.0.1", True, False, "/", True)
        self.jar.set_cookie(Cookie(0, name, value, *local, False, None, True, None, None, nothing))

    def get(self, path: str) -> Answer:
        return self._ask(path, None)

    def post(self, path: str, **data: str) -> Answer:
        token = next((cookie.value for cookie in self.jar if cookie.name == "csrftoken"), "")
        fields = {**data, "csrfmiddlewaretoken": token or ""}
        return self._ask(path, urllib.parse.urlencode(fields).encode())

    def sign_in(self, name: str, password: str) -> Answer:
        self.get("/accounts/login/")
        return self.post("/accounts/login/", login=name, password=password)

    def _ask(self, path: str, data: bytes | None) -> Answer:
        opener = urllib.request.build_opener(
            _Stay, urllib.request.HTTPCookieProcessor(self.jar), urllib.request.ProxyHandler({})
        )
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", data)
        for name, value in self.more.items():
            request.add_header(name, value)
        try:
            with opener.open(request, timeout=PATIENCE) as answer:
                return Answer(answer.status, answer.read().decode(), answer.headers)
        except urllib.error.HTTPError as error:
            return Answer(error.code, error.read().decode(), error.headers)
