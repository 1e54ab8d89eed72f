"""What players let everybody see of themselves."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from games.models import Player, SharedYear
from games.selectors.recap import recap
from games.services.errors import Refused


def share_year(*, player: Player, year: int, now: datetime) -> None:
    """Once more changes nothing."""
    if recap(player, year, now, private_too=False) is None:
        raise Refused(_("There is no public game of that year to show."))
    SharedYear.objects.get_or_create(player=player, year=year, defaults={"at": now})


def unshare_year(*, player: Player, year: int) -> None:
    SharedYear.objects.filter(player=player, year=year).delete()
