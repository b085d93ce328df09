"""`sapper review`: the table, the decisive moment, JSON, pictures and bad input."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest

from sapper.cli.review import _summary
from sapper.coach import review
from sapper.coach.summary import Luck
from sapper.game import Game
from sapper.position import Position
from sapper.simulation import Match
from support.program import sapper

LOST = Match("autosweeper", "beginner").game(8)
WON = Match("exact", "beginner").game(2)


def save(game: Game) -> str:
    """Return a game in its saved form."""
    return json.dumps(game.to_json())


def test_lost_game_shows_the_decisive_moment(tmp_path: Path) -> None:
    """The output shows the guesses, the board with a legend, and the summary."""
    path = tmp_path / "game.json"
    path.write_text(save(LOST), "utf-8")
    done = sapper("review", str(path))
    assert (done.code, done.err) == (0, "")
    found = review(LOST)
    assert "verdict" in done.out.splitlines()[0]
    assert f"The game was lost here, at {found.decisions[-1].cell}:" in done.out
    assert "X the mine that was opened" in done.out
    assert "rules classic, lost" in done.out
    assert "result 0.0 %" in done.out
    assert " win chance after the first click (" in done.out
    shown = sum(line.split()[:1] == ["0"] for line in done.out.splitlines())
    assert shown >= 1


def test_a_won_game_without_a_costly_guess_has_no_decisive_moment() -> None:
    """The game comes from standard input, and every decision can be listed."""
    done = sapper("review", "-", stdin=save(WON))
    assert done.code == 0
    assert "lost here" not in done.out
    assert "proved safe" in done.out
    every = sapper("review", "-", "--all", stdin=save(WON))
    decisions = len(review(WON).decisions)
    lines = [line for line in every.out.splitlines() if line.strip()[:1].isdigit()]
    assert len(lines) >= decisions


def test_win_without_luck_is_reported() -> None:
    """A win that needed no luck is called the expected result."""
    game = Game.from_position(Position.parse("mines: 1\n...\n111"), seed=1)
    game.open((0, 0))
    game.open((0, 2))
    done = sapper("review", "-", stdin=save(game))
    assert "start      100.0 % win chance at the start (exact)" in done.out
    assert "luck       none: expected 100.0 %, result 100.0 %" in done.out


def test_json_matches_the_library() -> None:
    """The object includes the level."""
    done = sapper("review", "-", "--json", stdin=save(LOST))
    assert done.json == [{"level": "beginner", **json.loads(json.dumps(review(LOST).to_json()))}]


def test_a_picture_of_the_decisive_moment(tmp_path: Path) -> None:
    """The picture shows the position before the losing click."""
    target = tmp_path / "decisive.svg"
    assert sapper("review", "-", "--svg", str(target), stdin=save(LOST)).code == 0
    root = ElementTree.fromstring(target.read_text("utf-8"))
    assert len(root.findall(".//*[@data-row]")) == 81
    assert "Decision" in (root[0].text or "")


def test_a_needless_guess_is_shown_with_its_proof() -> None:
    """The board marks the safe cells, and the steps of the proof follow."""
    game = Game.from_position(Position.parse("mines: 2\n....\n1221"), seed=1)
    game.open((0, 1))
    done = sapper("review", "-", stdin=save(game))
    assert "S proved safe" in done.out
    assert "so (0, 0) is clear." in done.out or "so (0, 3) is clear." in done.out


def test_game_without_opened_cells_is_a_negative_answer() -> None:
    """A game without an opened cell has nothing to review."""
    done = sapper("review", "-", stdin=save(Game("9x9:10", seed=1)))
    assert (done.code, done.out) == (1, "no cell was opened\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the input is empty"),
        ("{", "not JSON at line 1"),
        ("[]", "'format' of a saved game must be 'sapper-game/2', got []"),
        ('{"format": 7}', "'format' of a saved game must be 'sapper-game/2', got 7"),
        ("[" * 100_000, "not a saved game: the JSON is nested too deeply"),
        ('{"format": ' + "1" * 5000 + "}", "not a saved game"),
    ],
)
def test_invalid_saved_game_error_is_one_line(text: str, message: str) -> None:
    """Standard output is empty, and the exit status is 2."""
    done = sapper("review", "-", stdin=text)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    assert message in done.err


def test_missing_file_is_rejected() -> None:
    """The error names the missing file."""
    done = sapper("review", "/no/such/game.json")
    assert (done.code, done.out) == (2, "")
    assert "cannot read '/no/such/game.json'" in done.err


def test_replay_error_points_to_replay_analyze() -> None:
    """Other programs' replays were refused as invalid UTF-8."""
    replay = Path(__file__).parents[2] / "data" / "replays" / "expert.avf"
    done = sapper("review", str(replay))
    assert (done.code, done.out) == (2, "")
    assert "looks like a replay (avf)" in done.err
    assert "use sapper replay analyze --win-chances" in done.err


def test_summary_stays_in_range() -> None:
    """A sampled start read "100.0 % ± 4.4", and the losses may exceed it."""
    luck = Luck(1.0, 0, True, "sampled", 0.044, 1.2, 1.0, 0.1)
    result: Any = SimpleNamespace(rules="classic", status="won", counts={}, luck=luck)
    text = "\n".join(_summary(result, Game("9x9:10", seed=1)))
    assert "start      95.6 to 100.0 % win chance after the first click (sampled)" in text
    assert "luck       +120.0 points: result 100.0 %" in text
