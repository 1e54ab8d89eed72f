"""Names that speak for the site: no player may have one.

A word counts where it stands alone: between punctuation, digits or a change of letter case. What
looks like such a word counts as well, but then digits may be letters: only punctuation ends it.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby, pairwise

from games.reckon.likeness import folded, is_sign, likeness

WORDS = frozenset(
    """
    admin admins administrator administrators administration sysadmin superuser
    mod mods moderator moderators moderation staff support helpdesk helpdesks
    souk system official operator operators webmaster postmaster hostmaster noreply
    админ админы администратор администраторы администрация модератор модераторы модерация
    поддержка техподдержка система сотрудник оператор официальный
    administratorzy administracja moderatorzy moderacja moderatorka obsługa wsparcie
    administratorka operatorzy oficjalny oficjalna
    administratori administrație administratia moderatori moderare suport asistență asistenta
    sistem operatori oficial
    """.split()  # noqa: SIM905
)
# Writing without spaces: such a word counts wherever it stands.
ANYWHERE = (
    *("管理員", "管理员", "版主", "客服", "系統", "系统", "官方", "工作人員", "工作人员", "站長"),
    *("站长", "支援", "支持團隊"),
)
BESIDE = ("the", "team", "real", "bot")
"""Words that change nothing where all else is official: `adminteam`."""


NUMBER = re.compile(r"(?<![^\W_])\d+|\d+(?![^\W_])")
"""At the beginning or the end of what stands between marks, where a digit is no letter."""


def _bare(text: str) -> str:
    """Without accents and other marks on letters, which hide such a word from nobody."""
    parts = unicodedata.normalize("NFKD", text)
    return "".join(each for each in parts if unicodedata.category(each)[0] not in "MC")


_LIKE = frozenset(likeness(_bare(word)) for word in WORDS)
_ANYWHERE = tuple(likeness(_bare(word)) for word in ANYWHERE)
_OFFICIAL = "|".join(sorted(map(re.escape, _LIKE), key=len, reverse=True))
_BESIDE = "|".join(map(likeness, BESIDE))
_TOGETHER = re.compile(f"(?:{_BESIDE})*(?:{_OFFICIAL})(?:{_OFFICIAL}|{_BESIDE})*")


def speaks_for_the_site(name: str) -> bool:
    name = _bare(name)
    key = likeness(name)
    words = {likeness(word) for word in _words(name)}
    for text in (name, NUMBER.sub("", name)):
        words.update(_between_marks(folded(text)))
    return (
        not words.isdisjoint(_LIKE)
        or _TOGETHER.fullmatch(key) is not None
        or any(word in key for word in _ANYWHERE)
    )


def _words(name: str) -> list[str]:
    """Runs of letters, cut where small letters are followed by a capital one, and the parts of
    each in capital or in small letters alone."""
    found: list[str] = []
    for run in re.findall(r"[^\W\d_]+", name):
        start = 0
        for place in range(1, len(run)):
            here, before = run[place], run[place - 1]
            follows = run[place + 1 : place + 2]
            begins = here.isupper() and (before.islower() or follows.islower())
            if begins:
                found.append(run[start:place])
                start = place
        found.append(run[start:])
        cases = ["".join(each) for _, each in groupby(run, str.isupper)]
        # One capital begins a word.
        found += [each for before, each in pairwise(["", *cases]) if len(before) != 1]
    return found


def _between_marks(text: str) -> list[str]:
    return "".join(each if is_sign(each) else " " for each in text).split()
