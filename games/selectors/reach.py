"""What the page of notices shows."""

from __future__ import annotations

from games.models import Device, Errand, Game, Player, Webhook
from games.selectors.rules import name_of

LOGGED = 50
TABLES = 50
"""To choose from."""
SEATED = "game__seats__player"


def devices_of(player: Player) -> list[Device]:
    return list(player.devices.all())


def webhooks_of(player: Player) -> list[Webhook]:
    return list(player.webhooks.select_related("game").prefetch_related(SEATED))


def webhooks_in_question(player: Player) -> list[Webhook]:
    """Those that outlived the player's other ways in, and that the player has not kept yet."""
    return [webhook for webhook in webhooks_of(player) if webhook.in_question]


def webhook_of(player: Player, webhook_id: int) -> Webhook | None:
    found = player.webhooks.select_related("game").prefetch_related(SEATED)
    return found.filter(pk=webhook_id).first()


def deliveries(webhook: Webhook) -> list[Errand]:
    """The latest first."""
    latest = webhook.errands.select_related("game").prefetch_related(SEATED)
    return list(latest.order_by("-pk")[:LOGGED])


def tables_of(player: Player) -> dict[str, Game]:
    """Those that this player opened and that are not done with, by their addresses."""
    mine = player.games_created.filter(status__in=[Game.Status.OPEN, Game.Status.RUNNING])
    latest = mine.prefetch_related("seats__player").order_by("-pk")[:TABLES]
    return {game.public_id: game for game in latest}


def table_name(game: Game) -> str:
    """What people know a table by; several may look alike, so also by its address."""
    people = (str(seat.player) for seat in game.seats.all())
    return " · ".join((name_of(game.ruleset), *people, game.public_id))


def device_name(user_agent: str) -> str:
    """What a list calls a browser by: “Firefox · Android”."""
    browsers = ("Edg", "OPR", "SamsungBrowser", "Firefox", "Chrome", "Safari")
    shown = {
        "Edg": "Edge",
        "OPR": "Opera",
        "SamsungBrowser": "Samsung Internet",
        "Mac OS X": "Mac",
        "CrOS": "Chrome OS",
    }
    systems = ("Android", "iPhone", "iPad", "Windows", "Mac OS X", "CrOS", "Linux")
    browser = next((each for each in browsers if each in user_agent), "")
    system = next((each for each in systems if each in user_agent), "")
    return " · ".join(shown.get(name, name) for name in (browser, system) if name)
