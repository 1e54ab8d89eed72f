"""Ifrito: the scenes of its tutorial."""

from __future__ import annotations

from games.titles.teaching import Example, Scene

from .examples import _ENTERED, _MIDDLE, _READY

SCENES = (
    Scene("enter", Example(), decisions=1, others="enter:Ue5@W enter:La3@E"),
    Scene("fly", Example(_ENTERED), decisions=1),
    Scene("planes", Example(_MIDDLE), decisions=1),
    Scene("capture", Example(_READY), decisions=1, others="pick:C"),
    Scene(
        "pick",
        Example(f"{_READY} move:Ue1-Ud2@N capture:Uc4-Uc3"),
        decisions=1,
    ),
)
