"""Replays: recorded games in the file formats of many programs."""

from typing import TYPE_CHECKING

from sapper._util.renamed import renamed_names
from sapper.replay.analysis import ReplayAnalysis, ReplayChoice, analyze_replay, dwell_ms
from sapper.replay.clicks import Clicks
from sapper.replay.contradicting import Contradiction, contradictions
from sapper.replay.events import Event, EventKind, Events
from sapper.replay.json_form import from_json, to_json
from sapper.replay.play_metrics import PlayMetrics, measure_play
from sapper.replay.playback import Playback, ReplayStep
from sapper.replay.recording import Info, Replay
from sapper.replay.registry import (
    FORMATS,
    WRITERS,
    candidates,
    load,
    losses,
    parse,
    register,
    serialize,
)
from sapper.replay.resuming import game_after

__all__ = [
    "FORMATS",
    "WRITERS",
    "Clicks",
    "Contradiction",
    "Event",
    "EventKind",
    "Events",
    "Info",
    "PlayMetrics",
    "Playback",
    "Replay",
    "ReplayAnalysis",
    "ReplayChoice",
    "ReplayStep",
    "analyze_replay",
    "candidates",
    "contradictions",
    "dwell_ms",
    "from_json",
    "game_after",
    "load",
    "losses",
    "measure_play",
    "parse",
    "register",
    "serialize",
    "to_json",
]

if not TYPE_CHECKING:  # otherwise type checkers would accept any name
    __getattr__ = renamed_names(__name__, {"Choice": "ReplayChoice", "Step": "ReplayStep"})
