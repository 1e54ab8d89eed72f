"""Everything a player can set: one form in sections, which are saved together or not at all."""

from __future__ import annotations

from django.db import transaction
from django.http import QueryDict

from games.forms import accounts, mail
from games.models import Player
from games.services.errors import Refused

SECTIONS = (*accounts.SECTIONS, *mail.SECTIONS)


class Settings:
    def __init__(self, data: QueryDict | None = None, *, player: Player) -> None:
        self.sections = [section(data, player=player) for section in SECTIONS]

    def is_valid(self) -> bool:
        """Looks at every section, so that all that is wrong is said at once."""
        wrong = [section for section in self.sections if not section.is_valid()]
        return not wrong

    def save(self) -> set[str] | None:
        """What has changed; None if somebody else was quicker, and an error says so. The rest is
        left alone: quiet hours, say, would begin anew."""
        changed = {section.key: section.changed() for section in self.sections}
        try:
            with transaction.atomic():
                for section in self.sections:
                    if changed[section.key]:
                        section.apply()
        except Refused as refusal:
            section.add_error(next(iter(section.fields)), str(refusal))
            return None
        return set().union(*changed.values())
