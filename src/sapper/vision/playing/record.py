"""Convert a log's games to a run of `sapper lab`."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sapper._util.installing import pip_install
from sapper.errors import MissingExtra
from sapper.rules import Level
from sapper.simulation.match import Played

__all__ = ["keep_run", "played"]


def played(log: Path) -> list[Played]:
    """Yield the finished games of ``games.jsonl``.

    Programs do not report seeds, so the number of each game serves as its seed.
    """
    return [_game(number, events) for number, events in enumerate(_games(log)) if _ended(events)]


def keep_run(log: Path, run: Path, bot: str) -> int:
    """Write a log's games as a run directory, replacing an earlier run.

    The rules, the first-click promise and the seed are recorded as "unknown", and so is the level
    if it differs between games. Such a run can be summarized and calibrated, but not replayed.

    Returns:
        Number of games; if there are none, nothing is written.

    Raises:
        MissingExtra: If the lab is not installed.
    """
    try:
        from sapper.lab.spec import ProgramGames
        from sapper.lab.store import RunStore
        from sapper.lab.table import to_table
    except ImportError as missing:
        raise MissingExtra(f"saving a run needs pyarrow: {pip_install('lab')}") from missing
    games, rows = list(_games(log)), played(log)
    if not rows:
        return 0
    levels = {(begin["width"], begin["height"], begin["mines"]) for begin, *_ in games}
    level = Level(*levels.pop()) if len(levels) == 1 else None
    spec = ProgramGames(games[-1][0]["program"], bot, level, len(rows))
    store = RunStore(run)
    if store.exists:
        shutil.rmtree(run)
    store.begin(spec.to_json())
    store.write_shard(0, to_table(rows))
    seconds = sum(game[-1]["at_s"] for game in games)
    store.write_json("status.json", {"state": "done", "seconds": seconds})
    return len(rows)


def _games(log: Path) -> Iterator[list[dict[str, Any]]]:
    """Yield the lines of a log game by game, skipping games with damaged lines."""
    game: list[dict[str, Any]] = []
    for line in log.read_text("utf-8", "replace").splitlines():
        try:
            event = json.loads(line)
            begins = event["event"] == "begin"
        except (ValueError, TypeError, KeyError):
            # The line was truncated by a power failure.
            game = []
            continue
        if begins and game:
            yield game
            game = []
        if begins or game:
            game.append(event)
    if game:
        yield game


def _ended(events: list[dict[str, Any]]) -> bool:
    return events[-1].get("result") in ("won", "lost") and len(events) > 2


def _game(number: int, events: list[dict[str, Any]]) -> Played:
    moves = [event for event in events if event["event"] == "move"]
    risks = [move["risk"] for move in moves if move["guess"] and move["risk"] is not None]
    return Played(
        seed=number,
        result=events[-1]["result"],
        actions=events[-1]["clicks"],
        guesses=sum(move["guess"] for move in moves),
        risks=tuple(risks),
        by=dict(sorted(Counter(move["by"] for move in moves).items())),
        last_by=moves[-1]["by"],
        last_risk=moves[-1]["risk"],
        bbbv=None,
        think_s=0.0,
    )
