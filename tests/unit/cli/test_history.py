"""`sapper history`: the web app's games in the terminal."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sapper.history import History, Record
from sapper.replay import Replay, serialize
from sapper.simulation import Match
from support.histories import made_up, played
from support.program import sapper
from support.replays import FOLDER

GAMES = [replace(made_up(number), bot="", helped="") for number in range(8)]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate folder for saved games."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    return tmp_path


def add(home: Path, *records: Record) -> None:
    """Add games that two visitors played in the web app."""
    for owner, part in (("a" * 24, records[::2]), ("b" * 24, records[1::2])):
        with History(home / "play.sqlite3", owner) as history:
            history.add_all(part)


def test_statistics_and_games_of_all_visitors_are_printed(home: Path) -> None:
    """By default, only people's games without help are included."""
    add(home, *GAMES, replace(GAMES[0], bot="exact", won=True))
    found = json.loads(sapper("history", "stats", "--json").out)
    assert (found["games"], found["won"]) == (8, sum(game.won for game in GAMES))
    assert "games                      1\n" in sapper("history", "stats", "--bot", "exact").out
    lines = sapper("history", "list", "-n", "3", "--json").out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [game.key for game in GAMES[:-4:-1]]
    assert len(sapper("history", "list", "--all").out.splitlines()) == 9


def test_missing_history_has_no_games(home: Path) -> None:
    """A missing history file is not created."""
    assert sapper("history", "list").out == ""
    assert "games                      0\n" in sapper("history", "stats").out
    assert not list(home.iterdir())


def test_games_can_be_exported_erased_and_imported(home: Path) -> None:
    """The export includes the moves; without --yes, erasing only counts the games."""
    add(home, played(1, bot=""), played(2, bot=""))
    file = home / "games.jsonl"
    assert json.loads(sapper("history", "export", str(file), "--json").out) == {"exported": 2}
    refused = sapper("history", "erase")
    assert (refused.code, refused.err) == (
        2, "sapper: 2 games would be erased for good; add --yes to erase them\n",
    )  # fmt: skip
    assert sapper("history", "erase", "--yes").out == "erased 2 games\n"
    assert sapper("history", "import", str(file)).out == "imported 2 games\n"
    assert sapper("history", "import", str(file)).out == "imported 0 games\n"


def test_bad_input_is_rejected(home: Path) -> None:
    """The error is one line that repeats the value."""
    wrong = sapper("history", "stats", "--since", "1.2.2026")
    assert (wrong.code, wrong.err) == (2, "sapper: a day must be YYYY-MM-DD, got '1.2.2026'\n")
    for name in ("none.jsonl", "none.parquet"):
        missing = sapper("history", "import", str(home / name))
        assert missing.code == 2
        assert missing.err.endswith(f"{name}: No such file or directory\n")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--rules", "kabom"), "unknown rules 'kabom'; choose from: classic, "),
        (("--level", "expart"), "invalid level 'expart'"),
        (("--since", "9999-12-31", "--until", "9999-12-31"), "YYYY-MM-DD, got '9999-12-31'"),
        (("--since", "2026-02-01", "--until", "2026-01-01"), "--since 2026-02-01 is after"),
    ],
)
def test_impossible_selection_is_rejected(options: tuple[str, ...], message: str) -> None:
    """Unknown names silently selected nothing; the last possible day printed a traceback."""
    done = sapper("history", "list", *options)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_level_matches_in_any_form(home: Path) -> None:
    """`9x9:10` means `beginner`; the number of games is unlimited."""
    add(home, replace(GAMES[0], level="beginner"))
    done = sapper("history", "list", "--level", "9x9:10", "-n", "9" * 30)
    assert (done.code, len(done.out.splitlines())) == (0, 1)


def test_file_instead_of_directory_is_an_error(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file in place of the directory was mistaken for an empty history."""
    (home / "file").touch()
    monkeypatch.setenv("SAPPER_HOME", str(home / "file"))
    done = sapper("history", "stats")
    assert done.code == 2
    assert "the directory of saved games is a file" in done.err


def test_foreign_replays_are_imported(home: Path) -> None:
    """A second import finds duplicates, and each refused file is reported on its own line."""
    folder = home / "replays"
    folder.mkdir()
    data = (FOLDER / "expert.avf").read_bytes()
    (folder / "a.avf").write_bytes(data)
    assert sapper("history", "import", str(folder)).out == "imported 1 game\n"
    (folder / "cut.avf").write_bytes(data[:100])
    (folder / "notes.txt").write_text("I won")
    done = sapper("history", "import", str(folder))
    assert (done.code, done.out) == (
        2,
        "imported 0 games, 1 already there, 1 refused, 1 skipped (not a replay: 1)\n",
    )
    assert done.err.startswith(f"sapper: {folder / 'cut.avf'}: ")
    assert len(done.err.splitlines()) == 1
    found = json.loads(sapper("history", "import", str(folder / "a.avf"), "--json").out)
    assert found == {"imported": 0, "known": 1, "refused": 0, "skipped": {}}


def test_exports_and_replays_are_distinguished_by_content(home: Path) -> None:
    """Exports with another extension and replays in Sapper's JSON are recognised."""
    (home / "games.txt").write_text(json.dumps(played(1).to_json()))
    (home / "replay.json").write_bytes(serialize(Replay.from_game(Match("exact", "8x8:9").game(4))))
    done = sapper("history", "import", str(home / "games.txt"), str(home / "replay.json"))
    assert (done.out, done.err) == ("imported 2 games\n", "")
    assert "date unknown  " in sapper("history", "list").out
