"""`sapper history`: the games of the web app in the terminal."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from sapper.history import History, Record
from support.histories import made_up, played
from support.program import sapper

GAMES = [replace(made_up(number), bot="", helped="") for number in range(8)]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of saved games of its own."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    return tmp_path


def add(home: Path, *records: Record) -> None:
    """Games of two visitors of the web app."""
    for owner, part in (("a" * 24, records[::2]), ("b" * 24, records[1::2])):
        with History(home / "play.sqlite3", owner) as history:
            history.add_all(part)


def test_statistics_and_games_of_all_visitors_are_printed(home: Path) -> None:
    """People's games without help, unless others are asked for."""
    add(home, *GAMES, replace(GAMES[0], bot="exact", won=True))
    found = json.loads(sapper("history", "stats", "--json").out)
    assert (found["games"], found["won"]) == (8, sum(game.won for game in GAMES))
    assert "games                      1\n" in sapper("history", "stats", "--bot", "exact").out
    lines = sapper("history", "list", "-n", "3", "--json").out.splitlines()
    assert [json.loads(line)["id"] for line in lines] == [game.key for game in GAMES[:-4:-1]]
    assert len(sapper("history", "list", "--all").out.splitlines()) == 9


def test_without_a_file_there_are_no_games(home: Path) -> None:
    """And none is made."""
    assert sapper("history", "list").out == ""
    assert "games                      0\n" in sapper("history", "stats").out
    assert not list(home.iterdir())


def test_games_are_exported_erased_and_imported(home: Path) -> None:
    """With all their moves; erasing only counts without --yes."""
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


def test_bad_input_is_refused(home: Path) -> None:
    """In one line, with the value."""
    wrong = sapper("history", "stats", "--since", "1.2.2026")
    assert (wrong.code, wrong.err) == (2, "sapper: a day must be YYYY-MM-DD, got '1.2.2026'\n")
    missing = sapper("history", "import", str(home / "none.jsonl"))
    assert missing.code == 2
    assert "No such file" in missing.err
