"""Somebody of the staff, without superuser rights, made as an operator makes one."""

from __future__ import annotations

from django.core.management import call_command

from games.models import Player
from tests.people import new_player


def new_moderator(name: str = "Zahra") -> Player:
    player = new_player(name)
    call_command("moderator", name, verbosity=0)
    return Player.objects.get(pk=player.pk)
