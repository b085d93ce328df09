"""Determine from a replay whether the game was won without help."""

from __future__ import annotations

from dataclasses import replace

from sapper.game import Status
from sapper.replay.playback import Playback
from sapper.replay.recording import Replay

__all__ = ["fairness", "with_fairness"]


def fairness(played: Playback) -> tuple[bool, bool]:
    """Return whether a game is fair, and whether it is official; see docs/glossary.md."""
    info = played.replay.info
    # Arbiter's mode "cheat" displays the mines.
    no_help = info.fair is not False and info.mode != "cheat"
    fair = played.status is Status.WON and info.won is not False and no_help
    return fair, fair and info.official is not False and info.mode == "standard"


def with_fairness(replay: Replay) -> Replay:
    """Return a replay with its fair and official fields set, as some formats require."""
    info = replay.info
    if info.fair is not None and info.official is not None:
        return replay
    fair, official = fairness(Playback(replay))
    return replace(replay, info=replace(info, fair=fair, official=official))
