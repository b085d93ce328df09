"""A log of games, converted to a lab run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sapper.lab.calibrate import calibration
from sapper.lab.errors import BadRun
from sapper.lab.report import report
from sapper.lab.runs import Run
from sapper.lab.spec import Spec
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


def test_log_can_be_calibrated_in_the_lab(tmp_path: Path) -> None:
    """Guesses count with their risk; games that were stopped do not count."""
    log = _log(tmp_path, ["won", "lost", "won", "stopped", "won", "won"])
    assert [game.result for game in played(log)] == ["won", "lost", "won", "won", "won"]
    assert keep_run(log, tmp_path / "run", "exact") == 5
    found = calibration(Run.open(tmp_path / "run").table(None))
    assert (found.guesses, found.mines, round(found.expected, 6)) == (5, 1, 1.0)


def test_longer_log_replaces_the_run(tmp_path: Path) -> None:
    """The directory of a converted log is rewritten; without games, nothing is written."""
    assert keep_run(_log(tmp_path, ["stopped"]), tmp_path / "run", "exact") == 0
    assert not (tmp_path / "run").exists()
    for results in (["won"], ["won", "lost"]):
        assert keep_run(_log(tmp_path, results), tmp_path / "run", "exact") == len(results)
    assert Run.open(tmp_path / "run").spec.games == 2


def test_damaged_line_only_loses_its_game(tmp_path: Path) -> None:
    """After a power failure, every run of `sapper bot` with this log printed a traceback."""
    log = _log(tmp_path, ["won", "lost", "won", "lost"])
    lines = log.read_text().splitlines()
    # The second game ends in half a line, which is joined to the start of the third.
    lines[5:7] = [lines[5][:20] + lines[6]]
    log.write_text("\n".join(lines) + "\n")
    assert [game.result for game in played(log)] == ["won", "lost"]
    assert keep_run(log, tmp_path / "run", "exact") == 2


def test_missing_data_is_unknown(tmp_path: Path) -> None:
    """The rules, first click and seed are unknown, and so is a changed level or unread total."""
    log = _log(tmp_path, ["won", "lost"])
    keep_run(log, tmp_path / "run", "exact")
    head = Run.open(tmp_path / "run").spec.head()
    assert (head["level"], head["rules"], head["seed"]) == ("beginner", "unknown", "unknown")
    assert (head["first_click"], head["start"], head["program"]) == ("unknown", None, "mines")
    log.write_text(log.read_text().replace('"mines": 10', '"mines": null'))
    keep_run(log, tmp_path / "run", "exact")
    assert Run.open(tmp_path / "run").spec.head()["level"] == "9x9:?"
    log.write_text(log.read_text().replace('"mines": null', '"mines": 9', 1))
    keep_run(log, tmp_path / "run", "exact")
    made = Run.open(tmp_path / "run")
    assert made.spec.head()["level"] == "unknown"
    assert "unknown" in report(made)
    with pytest.raises(BadRun, match="games of mines, which cannot be played again"):
        Spec.from_json(json.loads((tmp_path / "run" / "run.json").read_text()), "here")
