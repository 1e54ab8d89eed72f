"""A record from outside, as a file or as text."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.engine.errors import BadRecord
from games.engine.record import read
from games.selectors.records import Replay, replay_of
from games.sentences import marks
from games.services import signing

LARGEST = 512 * 1024
MOST_MOVES = 5000


class RecordForm(forms.Form):
    """Valid if the record is: then `cleaned_data["replay"]` is there."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        help_text=_("A record that was downloaded from a table, for example."),
    )
    text = forms.CharField(
        label=_("or its text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        given = self._given(cleaned)
        replay = cleaned["replay"] = self._replay(given)
        ours = signing.is_ours(record=replay.record, text=given, now=timezone.now())
        if ours is False:
            raise forms.ValidationError(
                gettext(
                    "This record does not hold. It names this site, but Souk never signed it so: "
                    "names, times or moves were changed."
                )
            )
        cleaned["is_ours"] = ours
        return cleaned

    def _given(self, cleaned: dict[str, Any]) -> bytes:
        file, text = cleaned.get("file"), cleaned.get("text") or ""
        if file is None and not text.strip():
            raise forms.ValidationError(gettext("Choose a file, or paste the text of a record."))
        size = file.size if file else len(text)
        given: bytes = b""
        if size <= LARGEST:
            given = file.read() if file else text.encode("utf-8", "surrogatepass")
        if not given or len(given) > LARGEST:
            raise forms.ValidationError(
                gettext("This is too large for a record: the limit is %(limit)d KB.")
                % {"limit": LARGEST // 1024}
            )
        return given

    def _replay(self, given: bytes) -> Replay:
        try:
            record = read(given)
            if len(record.moves) > MOST_MOVES:
                raise forms.ValidationError(
                    gettext("This record has %(count)d moves; the limit is %(limit)d.")
                    % {"count": len(record.moves), "limit": MOST_MOVES}
                )
            return replay_of(record)
        except BadRecord as error:
            # The engine speaks English: it names places and values of a technical format.
            raise forms.ValidationError(
                format_html(
                    '{}{}<code lang="en">{}.</code>',
                    gettext("This record does not hold."),
                    marks().between_sentences,
                    error,
                )
            ) from None
