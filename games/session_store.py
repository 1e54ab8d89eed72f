"""Sessions in the database, as Django's, which survive a change of SECRET_KEY where they are."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends import db
from django.utils.crypto import constant_time_compare

from games.models import Player


class SessionStore(db.SessionStore):
    def cycle_key(self) -> None:
        """Django moves a session that was begun under an older key (SECRET_KEY_FALLBACKS) to
        another name as soon as anybody asks whose it is. But one page asks several things at a
        time, and the second would find no session; the list of the places where somebody is
        signed in asks for all of them, and knows them by their names; and a stream cannot give
        a browser another cookie. So the name stays, and Django renews the rest.
        """
        if not self._was_begun_under_an_older_key():
            super().cycle_key()

    def _was_begun_under_an_older_key(self) -> bool:
        proof = self.get(HASH_SESSION_KEY)
        if not (settings.SECRET_KEY_FALLBACKS and proof and SESSION_KEY in self):
            return False
        player = Player.objects.filter(pk=self[SESSION_KEY]).only("password").first()
        return player is not None and any(
            constant_time_compare(proof, older) for older in player.get_session_auth_fallback_hash()
        )
