"""A log of games as a run of the lab."""

from __future__ import annotations

import json
from pathlib import Path

from sapper.lab.calibrate import calibration
from sapper.lab.runs import Run
from sapper.vision.playing.record import keep_run, played


def _log(folder: Path, results: list[str]) -> Path:
    lines = []
    for number, result in enumerate(results, start=1):
        head = {"game": number, "at_s": 0.5}
        lines += [
            {**head, "event": "begin", "program": "mines", "width": 9, "height": 9, "mines": 10},
            {**head, "event": "move", "by": "least risk", "risk": 0.2, "guess": True},
            {**head, "event": "end", "result": result, "clicks": 3},
        ]
    path = folder / "games.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_the_lab_calibrates_a_log(tmp_path: Path) -> None:
    """Each guess counts at its risk; games that were stopped do not count."""
    log = _log(tmp_path, ["won", "lost", "won", "stopped", "won", "won"])
    assert [game.result for game in played(log)] == ["won", "lost", "won", "won", "won"]
    assert keep_run(log, tmp_path / "run", "exact") == 5
    found = calibration(Run.open(tmp_path / "run").table(None))
    assert (found.guesses, found.mines, round(found.expected, 6)) == (5, 1, 1.0)


def test_a_longer_log_takes_the_place_of_the_run(tmp_path: Path) -> None:
    """A directory of ours is written anew; of no games, nothing is written."""
    assert keep_run(_log(tmp_path, ["stopped"]), tmp_path / "run", "exact") == 0
    assert not (tmp_path / "run").exists()
    for results in (["won"], ["won", "lost"]):
        assert keep_run(_log(tmp_path, results), tmp_path / "run", "exact") == len(results)
    assert Run.open(tmp_path / "run").spec.games == 2
