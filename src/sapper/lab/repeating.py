"""The command that replays one game of a run, shown with errors."""

from __future__ import annotations

import json
import shlex

from sapper.errors import BotFailed
from sapper.lab.spec import Spec

__all__ = ["add_command", "command"]


def add_command(failure: BotFailed, spec: Spec, seed: int, bot_seconds: float) -> None:
    """Add a note to the error that ended a game, with the command that replays it."""
    # Include a time limit, because a bot that hung in the run would also hang in the replay.
    limit = bot_seconds if failure.timed_out else None
    if replay_command := command(spec, seed, limit):
        failure.add_note(f"repeat this game with: {replay_command}")


def command(spec: Spec, seed: int, bot_seconds: float | None = None) -> str:
    """Return the command that replays one game of a run; empty if there is none.

    >>> from sapper.simulation import Match
    >>> command(Spec(Match("groups", "9x9:12", bot_options={"last_turns": False}), 1), 7)
    'sapper lab replay --bot groups --level 9x9:12 --option last_turns=false --seed 7'
    """
    match = spec.match
    if not isinstance(match.bot, str):
        return ""
    words = ["sapper", "lab", "replay", "--bot", match.bot, "--level", str(match.settings.level)]
    if match.rules != "classic":
        words += ["--rules", match.rules]
    if match.first_click is not None:
        words += ["--first-click", str(match.first_click)]
    if match.start is None:
        words += ["--start", "bot"]
    elif tuple(match.start) != (0, 0):
        words += ["--start", "{},{}".format(*match.start)]
    try:
        for name, options in (("--option", match.bot_options), ("--rule", match.rule_options)):
            for key, value in options.items():
                words += [name, f"{key}={json.dumps(value)}"]
    except (TypeError, ValueError):
        return ""
    if bot_seconds is not None:
        words += ["--bot-seconds", f"{bot_seconds:g}"]
    return shlex.join([*words, "--seed", str(seed)])
