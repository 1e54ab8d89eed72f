"""What the commitment and the words of one game prove, and what they do not, in plain words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from games.models import Game, Seat

Origin = Seat.WordOrigin


def origin_of(seat: Seat) -> str:
    """Where the word of a seat comes from; for older games, as far as it was recorded."""
    if seat.word_origin:
        return str(Origin(seat.word_origin).label)
    if seat.word_drawn:
        return str(Origin.DRAWN.label)
    return _("chosen by the player or offered by Souk: not recorded")


def about_the_commitment(game: Game, seats: Sequence[Seat]) -> str:
    """What came first: the commitment, or the word of the player who opened the game."""
    first = next((seat for seat in seats if seat.joined == 0), None)
    if first is None or first.word_origin == Origin.FIXED:
        return _(
            "Only bots play here, and their words are fixed. The seed alone decides, and the "
            "operator of this site could have chosen it."
        )
    name = {"creator": str(first.player)}
    if _was_known(first):
        return (
            _(
                "Souk drew both the seed and the word of %(creator)s, so that word does not keep "
                "the operator from choosing the seed."
            )
            % name
        )
    if game.committed_at is None:
        return (
            _(
                "The seed was drawn after the word of %(creator)s had reached Souk, so the "
                "operator could have chosen a seed to go with that word."
            )
            % name
        )
    return (
        _(
            "The form with which %(creator)s opened the game carried the commitment, so Souk fixed "
            "the seed before it knew the word of %(creator)s."
        )
        % name
    )


def what_is_proved(game: Game, seats: Sequence[Seat]) -> Iterator[str]:
    """All that one has to know before trusting the proof of this game."""
    yield about_the_commitment(game, seats)
    people = [seat for seat in seats if not seat.player.bot_level]
    if any(seat.joined for seat in people):
        yield _(
            "The words of players who joined later reached Souk after the commitment was public."
        )
    if any(_was_known(seat) for seat in seats):
        yield _(
            "The operator knew the words that Souk drew or offered. Only words that players wrote, "
            "or that their browsers drew, are unknown to the operator beforehand."
        )
    if any(seat.word_origin == Origin.FIXED for seat in seats):
        yield _(
            "The word of every bot is “bot”, so nothing can be chosen through it. How bots choose "
            "their moves is not part of this proof."
        )
    if people:
        yield _(
            "The operator knows the seed from the start. With an accomplice who brings the last "
            "word, the operator could still choose what falls."
        )
    yield _(
        "Only a commitment kept outside this site, copied from the form or found in an email, "
        "shows that the seed was not exchanged later."
    )


def _was_known(seat: Seat) -> bool:
    """Whether the operator knew the word before it came in: the server made it."""
    if not seat.word_origin:
        return seat.word_drawn
    return seat.word_origin in (Origin.OFFERED, Origin.DRAWN)
