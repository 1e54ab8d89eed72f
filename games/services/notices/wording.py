"""The sentences of a letter, as plain text in the language and the time of its reader."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import titles
from games.models import Game, Notice, Seat
from games.moments import moment, span, time_left
from games.selectors.invitation import pace_of
from games.selectors.rules import edition_name
from games.sentences import paragraph, sentence
from games.services.notices.wishes import ABOUT_A_TURN

Kind = Notice.Kind


@dataclass(frozen=True)
class Topic:
    """What a notice is about: a game by its name, with others, and the reader's own seat."""

    notice: Notice
    game: Game
    own: Seat | None
    name: str
    others: str
    authors: str = ""
    """Of a message: who wrote."""
    guests: str = ""
    """Of an invitation: who declined it, or did not answer."""
    until: datetime | None = None
    """Of a turn without a clock: when the others may go on; of a day of vacation: its end."""
    left: timedelta | None = None
    """Of a day of vacation: how much more there is this year."""

    @property
    def handed_to_a_bot(self) -> bool:
        """The reader's time ran out just now, and a bot sat down on the seat."""
        return self.own is not None and self.own.stand_in_since == self.notice.move_number

    @property
    def reader_ran_out_of_time(self) -> bool:
        return self.handed_to_a_bot or (self.own is not None and bool(self.own.left_by))

    @property
    def task(self) -> str:
        return titles.words(self.game.ruleset).task(self.game.to_act_kind)

    @property
    def said(self) -> dict[str, str]:
        return {
            "name": self.name,
            "others": self.others,
            "authors": self.authors,
            "creator": str(self.game.creator),
            "guests": self.guests,
            "day": moment(self.until, "long day") if self.until else "",
            "left": span(self.left) if self.left is not None else "",
        }


def subject(notice: Notice, topic: Topic | None) -> str:
    """What stands in the list of an inbox; in a digest, what stands for one of its notices."""
    if topic is None:
        if notice.kind == Kind.DIGEST:
            return _("Your games today")
        if notice.kind == Kind.PUZZLE:
            return _("The puzzle of the day")
        return _("A test from Souk: your address works")
    return _subject(topic) % topic.said


def subject_of_several(turns: int) -> str:
    """Of a mail that tells several things at once, so many of them turns."""
    if not turns:
        return _("News from your games")
    text = ngettext("Your turn in %(turns)d game", "Your turn in %(turns)d games", turns)
    return text % {"turns": turns}


def opening_of_several() -> str:
    return _("This is new in your games:")


def _subject(topic: Topic) -> str:
    match topic.notice.kind:
        case Kind.TURN:
            return _("Your turn: %(name)s with %(others)s")
        case Kind.HALF:
            return _("Half of your time is gone: %(name)s with %(others)s")
        case Kind.LAST:
            return _("Your time is running out: %(name)s with %(others)s")
        case Kind.AFTER_3:
            return _("Waiting for you for 3 days: %(name)s with %(others)s")
        case Kind.AFTER_7:
            return _("Waiting for you for 7 days: %(name)s with %(others)s")
        case Kind.GO_ON:
            return _("Soon without you: %(name)s with %(others)s")
        case Kind.VACATION:
            return _("A day of vacation was spent: %(name)s with %(others)s")
        case Kind.DECLINED:
            return _("%(guests)s declined: %(name)s")
        case Kind.EXPIRED:
            return _("No answer to your invitation: %(name)s")
        case Kind.STARTED:
            return _("The game has started: %(name)s with %(others)s")
        case Kind.OVER:
            return _("The game is over: %(name)s with %(others)s")
        case Kind.INVITATION:
            return _("%(creator)s invites you to a game of %(name)s")
        case Kind.MESSAGE:
            return _("%(authors)s: a message at your table of %(name)s")
    if topic.reader_ran_out_of_time:
        return _("You ran out of time: %(name)s with %(others)s")
    return _("A bot plays on: %(name)s with %(others)s")


def opening(notice: Notice, topic: Topic | None) -> str:
    if topic is None:
        if notice.kind == Kind.DIGEST:
            return _("This is what your games are waiting for:")
        if notice.kind == Kind.PUZZLE:
            return _("A position from a real game: one choice is clearly the best. Do you see it?")
        return _("You asked for a test: mail from Souk reaches you at this address.")
    news = _opening(topic) % {
        **topic.said,
        "pace": pace_of(topic.game),
        "edition": edition_name(topic.game.ruleset, topic.game.edition),
    }
    if notice.kind in ABOUT_A_TURN:
        return paragraph([news, sentence(topic.task)])
    return news


def _opening(topic: Topic) -> str:
    match topic.notice.kind:
        case Kind.TURN:
            return _("It is your turn in %(name)s with %(others)s.")
        case Kind.HALF:
            return _(
                "It is still your turn in %(name)s with %(others)s, and half of your time is gone."
            )
        case Kind.LAST:
            return _(
                "It is still your turn in %(name)s with %(others)s, and your time is running out."
            )
        case Kind.AFTER_3:
            return _("It has been your turn in %(name)s with %(others)s for 3 days.")
        case Kind.AFTER_7:
            return _("It has been your turn in %(name)s with %(others)s for 7 days.")
        case Kind.GO_ON:
            return _(
                "It is still your turn in %(name)s with %(others)s. "
                "From %(day)s on the others may go on without you, and you would lose your seat."
            )
        case Kind.VACATION:
            return _(
                "Your time in %(name)s with %(others)s ran out. A day of your vacation was spent, "
                "so you keep your seat: your clocks stand still until %(day)s. "
                "You have %(left)s of vacation left this year."
            )
        case Kind.DECLINED:
            return _(
                "%(guests)s declined your invitation to a game of %(name)s. "
                "The seat is empty: choose who takes it."
            )
        case Kind.EXPIRED:
            return _(
                "Your invitation to a game of %(name)s expired without an answer from %(guests)s. "
                "You can still bring the game to its start."
            )
        case Kind.STARTED:
            return _(
                "Your game of %(name)s with %(others)s has started. "
                "You will hear when it is your turn."
            )
        case Kind.OVER:
            return _("Your game of %(name)s with %(others)s is over.")
        case Kind.INVITATION:
            return _(
                "%(creator)s invites you to a game of %(name)s. Rules: %(edition)s. Pace: %(pace)s."
            )
        case Kind.MESSAGE:
            return _("At your table of %(name)s with %(others)s you got a message:")
    if topic.handed_to_a_bot:
        return _(
            "Your time in %(name)s with %(others)s has run out, and a bot plays on for you. "
            "You can take your seat back at the table until your next turn comes up a second time."
        )
    if topic.reader_ran_out_of_time:
        return _("Your time in %(name)s with %(others)s has run out, and you have lost your seat.")
    return _(
        "Somebody ran out of time in %(name)s with %(others)s. "
        "A bot plays on, so that your game stays whole."
    )


@dataclass(frozen=True)
class Evidence:
    """The commitment of a game, as a letter that arrives before its dice are known states it."""

    label: str
    commitment: str
    purpose: str


def evidence(game: Game) -> Evidence:
    return Evidence(
        label=_("Commitment"),
        commitment=game.commitment,
        purpose=_(
            "Keep this email. After the game Souk publishes its secret seed. If the SHA-256 of the "
            "seed is this commitment, the seed was not exchanged since you got this email."
        ),
    )


def until(game: Game, now: datetime) -> str:
    """How long the reader has for a decision."""
    if game.deadline is None:
        return _("There is no clock: take your time.")
    day, left = moment(game.deadline, "long day"), time_left(game.deadline, now)
    return _("You have until %(day)s (your time): %(left)s.") % {"day": day, "left": left}


def until_when(game: Game) -> str:
    """The deadline in a few words; nothing where there is none."""
    if game.deadline is None:
        return ""
    return _("until %(day)s") % {"day": moment(game.deadline, "long day")}


def entry(topic: Topic) -> str:
    """A notice as a line of a mail that has several; a reminder says until when."""
    if topic.notice.kind not in ABOUT_A_TURN:
        return subject(topic.notice, topic)
    line = _("Your turn: %(name)s with %(others)s") % topic.said
    line = f"{line} · {topic.task}"
    if topic.game.deadline is None:
        return line
    day = _("until %(day)s") % {"day": moment(topic.game.deadline, "long day")}
    return f"{line} – {day}"
