"""Attacks on the daily board: knowing it beforehand, and getting a second attempt that counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from datetime import date, timedelta
from typing import Any

import httpx
import pytest

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

from sapper.board import Board
from sapper.generation.daily import DAILY_START, daily
from sapper.server.http import leaderboards
from sapper.server.session import daily as session_daily
from sapper.server.session.daily import daily_game
from sapper.server.storage.store import Store
from support.account_requests import ask, claim, sign_in
from support.authenticators import SoftAuthenticator

Browsers = Callable[[], httpx.Client]
_TODAY = date(2026, 11, 22)


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run these tests on both database engines."""
    return any_store


@pytest.fixture
def browser(site: Any) -> Iterator[Browsers]:
    """A function that opens browsers, each with its own cookies."""
    opened: list[httpx.Client] = []

    def make() -> httpx.Client:
        url = f"http://localhost:{site.port}"
        made = httpx.Client(base_url=url, trust_env=False, verify=False, timeout=300)
        made.get("/")
        opened.append(made)
        return made

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def window(site: Any) -> Callable[[httpx.Client], AbstractContextManager[Any]]:
    """A function that opens a window of a browser."""

    def open_(client: httpx.Client) -> AbstractContextManager[Any]:
        cookie = "; ".join(f"{one.name}={one.value}" for one in client.cookies.jar)
        found: AbstractContextManager[Any] = site.player(Cookie=cookie)
        return found

    return open_


Windows = Callable[[httpx.Client], AbstractContextManager[Any]]


@pytest.fixture(autouse=True)
def _fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (session_daily, leaderboards):
        monkeypatch.setattr(module, "today", lambda: _TODAY)


def _board(store: Store, day: date | None = None) -> Board:
    return store.daily_boards.board(day or _TODAY).board


def _play(player: Any, board: Board, *, won: bool) -> dict[str, Any]:
    """Open all safe cells, or a mine; return the last answer."""
    for index, mine in enumerate(board.mined):
        if bool(mine) is not won:
            told: dict[str, Any] = player.send("open", cell=list(board.topology.cell(index)))
            if told["status"] in ("won", "lost"):
                return told
    raise AssertionError("the game did not end")


def _counts(player: Any) -> bool:
    """Ask for today's board; return whether the attempt counts."""
    game = player.send("daily")["game"]
    assert game["helped"] == (None if game["attempt"] else "practice")
    return bool(game["attempt"])


def _named(client: httpx.Client) -> list[str]:
    """Return the names on today's leaderboard."""
    rows = client.get(f"/api/leaderboard?day={_TODAY}").json()["rows"]
    return [row["name"] for row in rows]


def test_the_date_as_the_seed_does_not_serve_tomorrows_board(site: Any, store: Store) -> None:
    """An ordinary game showed the next daily board to anyone."""
    tomorrow = _TODAY + timedelta(1)
    dated = int(tomorrow.strftime("%Y%m%d"))
    with site.player("d" * 24) as player:
        level = {"level": "intermediate", "rules": "no-guess"}
        player.send("new", settings=level, seed=dated)
        player.send("open", cell=list(DAILY_START))
        rows = player.send("sync")["game"]["rows"]
    assert rows == list(daily_game(dated).position.rows)
    assert rows != list(daily_game(store.daily_boards.seed(tomorrow)).position.rows)
    assert _board(store, tomorrow) != daily(dated).board


def test_the_seed_is_published_the_next_day(browser: Browsers, store: Store) -> None:
    """The seed of a past day generates its board; those of today and tomorrow are secret."""
    client, yesterday = browser(), _TODAY - timedelta(1)
    found = client.get(f"/api/daily?day={yesterday}").json()
    assert found == {
        "day": str(yesterday),
        "seed": store.daily_boards.seed(yesterday),
        "level": "intermediate",
        "start": [8, 8],
    }
    assert daily(found["seed"]).board == _board(store, yesterday)
    board = client.get(f"/api/leaderboard?day={yesterday}").json()["board"]
    assert board["seed"] == found["seed"]
    for path in ("daily", f"daily?day={_TODAY}"):
        assert client.get(f"/api/{path}").json()["seed"] is None
    assert client.get(f"/api/leaderboard?day={_TODAY}").json()["board"]["seed"] is None
    refused = client.get(f"/api/daily?day={_TODAY + timedelta(1)}")
    assert refused.json()["error"]["code"] == "bad_message"


def test_restarts_and_workers_have_the_same_boards(
    store: Store, run: Callable[[Store], Any]
) -> None:
    """The secret is stored, so everyone on a site plays the same board."""
    before = store.daily_boards
    assert Store(store.database).daily_boards == before
    with run(store) as site, site.player("d" * 24) as player:
        assert player.send("daily")["game"]["rows"] == list(
            daily_game(before.seed(_TODAY)).position.rows
        )


def test_a_guest_who_lost_has_no_attempt_under_another_account(
    browser: Browsers, window: Windows, store: Store
) -> None:
    """The guest knew the board, signed in to an account, and stood on the leaderboard."""
    home, away, device = browser(), browser(), SoftAuthenticator(1)
    claim(home, device, "Ann")
    with window(away) as player:
        assert _counts(player)
        _play(player, _board(store), won=False)
    sign_in(away, device)
    with window(away) as player:
        assert not _counts(player)
        _play(player, _board(store), won=True)
    assert _named(home) == []
    # The account has not played yet: elsewhere, its attempt counts.
    with window(home) as player:
        assert _counts(player)
        _play(player, _board(store), won=True)
    assert _named(home) == ["Ann"]


def test_an_attempt_that_has_not_begun_does_not_wait_for_a_guest(
    browser: Browsers, window: Windows, store: Store
) -> None:
    """The account asked for the board, signed out, lost as a guest and came back."""
    client, device = browser(), SoftAuthenticator(1)
    claim(client, device, "Ann")
    with window(client) as player:
        assert _counts(player)
    ask(client, "sign-out")
    with window(client) as player:
        assert _counts(player)
        _play(player, _board(store), won=False)
    sign_in(client, device)
    with window(client) as player:
        assert player.welcome["game"]["attempt"] is False
        assert player.welcome["game"]["helped"] == "practice"
        _play(player, _board(store), won=True)
    assert _named(client) == []


def test_another_name_in_the_same_browser_has_no_attempt(
    browser: Browsers, window: Windows, store: Store
) -> None:
    """Claiming a name gave the browser a new guest, whose attempt counted again."""
    client = browser()
    with window(client) as player:
        assert _counts(player)
        _play(player, _board(store), won=False)
    claim(client, SoftAuthenticator(1), "Ann")
    ask(client, "sign-out")
    with window(client) as player:
        assert not _counts(player)
    claim(client, SoftAuthenticator(2), "Bert")
    with window(client) as player:
        assert not _counts(player)
        _play(player, _board(store), won=True)
    assert _named(client) == []


def test_an_account_uses_the_attempt_of_its_browser(
    browser: Browsers, window: Windows, store: Store
) -> None:
    """After the attempt of an account, its browser has none as a guest or another account."""
    client, other = browser(), browser()
    bert = SoftAuthenticator(2)
    claim(other, bert, "Bert")
    claim(client, SoftAuthenticator(1), "Ann")
    with window(client) as player:
        assert _counts(player)
        _play(player, _board(store), won=False)
    ask(client, "sign-out")
    with window(client) as player:
        assert not _counts(player)
    sign_in(client, bert)
    with window(client) as player:
        assert not _counts(player)


def test_only_attempts_under_an_account_have_a_place(
    browser: Browsers, window: Windows, store: Store
) -> None:
    """A guest's win had a place after claiming a name, however many guests had lost before."""
    guest, named = browser(), browser()
    claim(named, SoftAuthenticator(2), "Bert")
    for client in (guest, named):
        with window(client) as player:
            assert _counts(player)
            assert _play(player, _board(store), won=True)["event"]["daily"]["streak"] == 1
    claim(guest, SoftAuthenticator(1), "Ann")
    assert _named(guest) == ["Bert"]
    # The guest keeps the result.
    with window(guest) as player:
        assert player.welcome["daily"]["streak"] == 1


def test_a_signed_in_browser_without_a_guest_gets_one(browser: Browsers, store: Store) -> None:
    """Without a guest's cookie, signing out would have given the browser another attempt."""
    client = browser()
    claim(client, SoftAuthenticator(1), "Ann")
    client.cookies.delete("sapper")
    client.get("/")
    assert client.cookies["sapper"]
