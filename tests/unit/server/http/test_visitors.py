"""Browsers keep their games across different servers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from sapper.server.run import open_store
from sapper.server.storage.schema import version
from sapper.server.storage.store import Store

_Spoil = Callable[[Path], sqlite3.Connection | None]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for saved games that has no file yet."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    return tmp_path


def _locked(folder: Path) -> sqlite3.Connection:
    other = sqlite3.connect(folder / "play.sqlite3", isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    return other


def _versioned(pragma: str) -> _Spoil:
    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / "play.sqlite3")) as db, db:
            db.execute(pragma)
        db.close()

    return change


_SPOILS = {
    "locked": (_locked, None),
    "a later version": (
        _versioned("PRAGMA user_version = 99"),
        _versioned(f"PRAGMA user_version = {version()}"),
    ),
    "a later history": (
        _versioned("INSERT INTO history_version VALUES (99)"),
        _versioned("DELETE FROM history_version WHERE version = 99"),
    ),
}
"""Reasons why a file is unusable, each with its repair."""


def _visit(site: Any, browser: httpx.Client) -> dict[str, str]:
    """Load the page and another URL that sets cookies; return all the cookies."""
    assert browser.get(site.url).status_code == 200
    assert browser.get(f"{site.url}/api/learn").status_code == 200
    return {cookie.name: cookie.value or "" for cookie in browser.cookies.jar}


def _moves(site: Any, browser: httpx.Client) -> int:
    """Return the number of moves in the browser's game, as seen by a new window."""
    sent = "; ".join(f"{cookie.name}={cookie.value}" for cookie in browser.cookies.jar)
    with site.player(Cookie=sent) as player:
        moves: int = player.welcome["game"]["actions"]
        player.send("mark", cell=[0, moves])
    return moves


@pytest.mark.parametrize("why", list(_SPOILS))
def test_browser_finds_its_games_after_a_failed_start(
    folder: Path, run: Callable[[Store], Any], why: str
) -> None:
    """A server that cannot use the file plays in memory, says so, and replaces no cookie."""
    spoil, repair = _SPOILS[why]
    with httpx.Client(trust_env=False, verify=False, timeout=300) as browser:
        with open_store() as store, run(store) as site:
            before = _visit(site, browser)
            assert list(before) == ["sapper"]
            assert _moves(site, browser) == 0
        holding = spoil(folder)
        with open_store() as store, run(store) as site:
            assert not store.persistent
            during = _visit(site, browser)
            assert during["sapper"] == before["sapper"]
            # A cookie without a maximum age ends with the browser.
            assert [c.name for c in browser.cookies.jar if c.expires is None] == [
                name for name in during if name != "sapper"
            ]
            assert [_moves(site, browser) for _ in range(2)] == [0, 1]
            with site.player() as player:
                told = player.until("saving")
                assert (told["restart"], bool(told["problem"])) == (True, True)
        if holding is not None:
            holding.close()
        if repair is not None:
            repair(folder)
        with open_store() as store, run(store) as site:
            assert store.persistent
            assert _visit(site, browser)["sapper"] == before["sapper"]
            assert _moves(site, browser) == 1
    assert not list(folder.glob("*damaged*"))


def test_servers_on_one_host_keep_separate_cookies(
    tmp_path: Path, run: Callable[[Store], Any]
) -> None:
    """Browsers send a host's cookies to all its ports."""
    with (
        Store(tmp_path / "one") as first,
        Store(tmp_path / "two") as second,
        run(first) as one,
        run(second) as two,
        httpx.Client(trust_env=False, verify=False, timeout=300) as browser,
    ):
        for visits in range(3):
            for site in (one, two):
                _visit(site, browser)
                assert _moves(site, browser) == visits
        assert len(browser.cookies.jar) == 2


def test_invalid_cookie_is_replaced(site: Any) -> None:
    """An invalid cookie does not identify a session."""
    answer = httpx.get(
        site.url, headers={"Cookie": "sapper=me"}, trust_env=False, verify=False, timeout=300
    )
    assert answer.cookies["sapper"].startswith("me") is False
    assert list(answer.cookies) == ["sapper"]


def test_the_key_of_a_damaged_file_is_kept(tmp_path: Path) -> None:
    """When the file is repaired or restored, browsers get their games back."""
    with Store(tmp_path) as store:
        key = store.secret()
    with closing(sqlite3.connect(tmp_path / "play.sqlite3")) as db, db:
        [page] = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'moves'").fetchone()
        [size] = db.execute("PRAGMA page_size").fetchone()
    db.close()
    with (tmp_path / "play.sqlite3").open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    with Store(tmp_path) as store:
        assert store.secret() == key
    assert len(list(tmp_path.glob("*damaged*"))) == 1
