"""`sapper admin fair-play` and `sapper admin entries`."""

from __future__ import annotations

from pathlib import Path

import pytest

from sapper.server.accounts.names import Name
from sapper.server.accounts.records import NewPasskey
from sapper.server.storage.fair_play import FairPlay, figures_of
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.store import Store
from support.program import sapper
from support.standings import end_round, finish, won_game


@pytest.fixture
def link(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The link of a game won by a bot and stored in the usual file."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    monkeypatch.delenv("SAPPER_DATABASE", raising=False)
    with Store(tmp_path) as store:
        name = Name("Robot <3", frozenset({"robot"}))
        passkey = NewPasskey(b"id", b"key", 0, ())
        store.accounts.claim("id", "robot", name, passkey, [], "login", "", ("challenge", 0))
        finish(store, "robot", won_game(), 1_700_000_000_000, 20)
        fair_play = FairPlay(store.database)
        entry = fair_play.waiting()
        assert entry is not None
        fair_play.note(entry, figures_of(entry.moves))
        with store.database.using() as db:
            return str(db.execute("SELECT link FROM entries").fetchone()[0])


def test_unlikely_games_are_reported_in_every_form(link: str, tmp_path: Path) -> None:
    """The table, the JSON and the page link the replay; the page escapes names."""
    page, site = tmp_path / "report.html", "https://play.example.org"
    done = sapper("admin", "fair-play", "--html", str(page), "--site", site)
    assert done.code == 0
    assert f"{site}/g/{link}" in done.out
    assert f'<a href="{site}/g/{link}">' in page.read_text("utf-8")
    assert "Robot &lt;3" in page.read_text("utf-8")
    [found] = sapper("admin", "fair-play", "--json").json
    assert (found["name"], found["entries"]) == ("Robot <3", 1)
    assert "least_s" in found["findings"][0]["reasons"]
    assert sapper("admin", "fair-play", "Nobody").code == 2


def test_rated_rounds_are_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A farming pair was not in the report."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    monkeypatch.delenv("SAPPER_DATABASE", raising=False)
    with Store(tmp_path) as store:
        for name in ("ann", "second"):
            passkey = NewPasskey(name.encode(), b"key", 0, ())
            looks = Name(name.title(), frozenset({name}))
            store.accounts.claim(name, name, looks, passkey, [], name, "", (name, 0))
        for number in range(20):
            places = {"ann": 1, "second": 2}
            end_round(
                store.database,
                RoundEnded(f"r:{number}", "race", "expert", True, number, places, {}),
            )
    done = sapper("admin", "fair-play")
    assert done.code == 0
    assert "farming" in done.out
    assert "1 of 2 players with rated rounds listed" in done.out
    [found] = sapper("admin", "fair-play", "Ann", "--json").json
    assert (found["kind"], found["rounds"]) == ("races", 20)
    assert (found["pairs"][0]["name"], found["pairs"][0]["reason"]) == ("Second", "farming")


def test_entries_are_withdrawn_and_restored(link: str) -> None:
    """Entries are given by address or id; the exit status is 1 if there is nothing to change."""
    for address, code in ((f"/g/{link}", 0), (link, 1)):
        done = sapper("admin", "entries", "withdraw", address, "--reason", "a bot")
        assert done.code == code
    for code in (0, 1):
        assert sapper("admin", "entries", "restore", link).code == code
    refused = sapper("admin", "entries", "withdraw", link, "--reason", "")
    assert refused.code == 2
    assert "--reason" in refused.err
