"""What templates of tables and lists need beside Django's own tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import template
from django.template import Context, NodeList
from django.template.loader_tags import BlockNode
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from games import titles
from games.languages import for_everybody
from games.models import Game, Player
from games.moments import day_in_words, moment, time_left, time_since
from games.selectors import words
from games.selectors.lobby import Sitter
from games.selectors.reach import table_name
from games.selectors.reckonings import is_judged
from games.selectors.table import Table
from games.selectors.table_page import ToldTurn
from games.sentences import listed, marks, paragraph, set_apart
from games.titles.speaking import colour_name

register = template.Library()
register.filter("table_name", table_name)

_CURRENT = ' aria-current="step"'


@register.filter
def at(values: Sequence[Any] | Mapping[Any, Any], key: Any) -> Any:
    """What stands at this place of a list or mapping; nothing where there is none."""
    try:
        return values[key]
    except (LookupError, TypeError):
        return ""


register.filter("colour_name", colour_name)
register.filter("for_everybody", for_everybody)
register.filter("moment", moment)
register.filter("day_in_words", day_in_words)
register.filter("listed", listed)
register.filter("time_left", time_left)
register.filter("time_since", time_since)


@register.simple_tag
def say(key: str, what: str, *about: Any) -> Any:
    """What the words of a game say: `{% say game.ruleset "task" kind %}`."""
    return getattr(titles.words(key), what)(*about)


register.simple_tag(words.told, name="named_turn")
register.simple_tag(Table.told, name="turn_told")
register.simple_tag(words.told_to_whoever_did_it, name="own_turn")


@register.simple_tag
def changes_address(table: Table, stamp: str) -> str:
    """Where a page of this table asks what has changed since."""
    query: dict[str, Any] = {"stamp": stamp, "on": len(table.moves)}
    if not table.is_current:
        query["move"] = table.shown
    return f"{reverse('changes', args=[table.game.public_id])}?{urlencode(query)}"


@register.simple_tag
def move_list(turns: Sequence[ToldTurn], url: str, shown: int) -> SafeString:
    """A line for each turn, which leads to the position after it."""
    rows = (
        f'<li><a href="{url}?move={turn.last}"'
        f"{_CURRENT if turn.last == shown else ''}>{turn.told}</a></li>"
        for turn in turns
    )
    nobody = format_html("<li>{}</li>", _("Nobody has moved yet."))
    return SafeString("\n".join(rows) or nobody)


@register.simple_tag
def announcement(table: Table, news: Sequence[words.Turn]) -> SafeString:
    """What happened, and what that means for whoever hears it."""
    said: list[str] = [words.told(table.game, table.names, turn, full=True) for turn in news]
    if said and table.may_act:
        said.append(_("It is your turn."))
    elif said and table.game.status == Game.Status.OVER:
        said.append(_("The game is over."))
    return format_html_join(marks().between_sentences, "{}", ((each,) for each in said))


register.filter("is_judged", is_judged)


@register.filter
def proof_name(ruleset: str) -> str:
    """What can be checked of a finished game: a game without dice still has a drawn seating."""
    return _("Proof of the dice") if titles.TITLES[ruleset].rules.die else _("Proof of the draw")


@register.filter
def badge(player: Player | Sitter) -> SafeString:
    """What stands behind the name of a bot."""
    if not player.bot_level:
        return SafeString()
    return format_html(' <span class="badge">{}</span>', _("bot"))


@register.simple_tag
def names_of(sitters: Iterable[Sitter], badges: bool = False) -> SafeString:
    named = ((sitter.name, badge(sitter) if badges else "") for sitter in sitters)
    return format_html_join(marks().between_names, "{}{}", named)


@register.simple_tag
def mark(name: str) -> str:
    """A mark of punctuation of the language, for what cannot be joined before it is laid out."""
    return str(getattr(marks(), name))


@register.simple_tag(name="paragraph")
def paragraph_of(*sentences: str) -> str:
    """Sentences that follow each other, as far as there are any."""
    return paragraph(filter(None, sentences))


@register.simple_block_tag
def sentences(content: str) -> SafeString:
    """Sentences that a template lays out on lines of their own, as the language parts them."""
    return SafeString(set_apart(content))


@register.simple_tag
def small_board(observation: Mapping[str, Any]) -> Any:
    return titles.draw(observation, compact=True)


@register.simple_tag(takes_context=True)
def once_more(context: Context, block: str) -> SafeString:
    """A block of the page again: Django lays it out in one place, but a title is a heading too."""
    return BlockNode(block, NodeList()).render(context)
