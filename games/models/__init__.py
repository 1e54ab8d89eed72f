"""What is stored: players, games, seats and ordered moves.

A game is its moves. Columns marked *derived* follow from them, are written in the same
transaction as a move, and exist so that lists and sweeps need no replay.

A column that comes with a later release has a `db_default` or may be null: while a release is
rolled in, the code before it still writes rows.
"""

from games.models.books import (
    Meeting,
    Opening,
    Opponent,
    Rating,
    RatingChange,
    Rivalry,
    Sheet,
    Shelf,
    Standing,
    Tally,
)
from games.models.games import (
    ID_ALPHABET,
    ID_LENGTH,
    LUCKY_WORD,
    TAKEN_BACK_BEFORE,
    Game,
    Invitation,
    Seat,
    new_public_id,
)
from games.models.house import Heartbeat, SigningKey, Use
from games.models.mail import Bounce, Breaker, Notice
from games.models.moderation import Act, Report
from games.models.players import (
    GONE_PREFIX,
    GUEST_PREFIX,
    Block,
    BotLevel,
    NameKey,
    Player,
    SharedYear,
    Vacation,
)
from games.models.puzzles import Puzzle, PuzzleAnswer
from games.models.reach import Device, Errand, Webhook
from games.models.reckonings import Bond, Performance, Reckoning
from games.models.table import Hint, Message, Move

__all__ = [
    "GONE_PREFIX",
    "GUEST_PREFIX",
    "ID_ALPHABET",
    "ID_LENGTH",
    "LUCKY_WORD",
    "TAKEN_BACK_BEFORE",
    "Act",
    "Block",
    "Bond",
    "BotLevel",
    "Bounce",
    "Breaker",
    "Device",
    "Errand",
    "Game",
    "Heartbeat",
    "Hint",
    "Invitation",
    "Meeting",
    "Message",
    "Move",
    "NameKey",
    "Notice",
    "Opening",
    "Opponent",
    "Performance",
    "Player",
    "Puzzle",
    "PuzzleAnswer",
    "Rating",
    "RatingChange",
    "Reckoning",
    "Report",
    "Rivalry",
    "Seat",
    "SharedYear",
    "Sheet",
    "Shelf",
    "SigningKey",
    "Standing",
    "Tally",
    "Use",
    "Vacation",
    "Webhook",
    "new_public_id",
]
