"""Shared games over HTTP: their pages, pictures and replays, and who may see them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from sapper.game import Game
from sapper.server.session.daily import daily_game
from sapper.server.storage import public_games
from sapper.server.storage.store import Store
from support.standings import finish, won_game

_NOW = 1_700_049_600_000
_ANN, _BERT = "a" * 24, "b" * 24

Browsers = Callable[[str], httpx.Client]


@pytest.fixture
def store(any_store: Store) -> Store:
    """The store on each database engine in turn."""
    return any_store


@pytest.fixture
def browser(site: Any) -> Iterator[Browsers]:
    """A function that opens the browser of a session."""
    opened: list[httpx.Client] = []

    def make(session: str) -> httpx.Client:
        cookies = {"sapper": site.ids.sign(session)} if session else {}
        opened.append(httpx.Client(base_url=site.url, cookies=cookies, timeout=300))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def share(client: httpx.Client, game: str, **body: Any) -> dict[str, Any]:
    """Share a game."""
    answer = client.post(f"/api/history/games/{game}/share", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_anyone_with_the_link_can_watch_a_shared_game(browser: Browsers, store: Store) -> None:
    """The page, the replay and both pictures are public; the key of the game is not."""
    record = finish(store, _ANN, won_game(), _NOW, 12_345)
    ann, other = browser(_ANN), browser("")
    assert ann.get("/api/history/games/last/share").json()["id"] is None
    page = share(ann, "last")["id"]
    assert len(page) >= 22
    assert share(ann, record.key)["id"] == page
    found = other.get(f"/api/games/{page}").json()
    assert found["game"]["time_ms"] == 12_345
    assert (found["name"], found["own"], found["shared"]) == (None, None, True)
    assert record.key not in other.get(f"/api/games/{page}").text
    played = other.post("/api/replay", json=found["replay"]).text.splitlines()
    assert '"status":"won"' in played[0]
    assert ann.get(f"/api/games/{page}").json()["own"] == record.key
    html = other.get(f"/g/{page}", headers={"accept": "text/html"})
    assert html.status_code == 200
    assert "<title>Beginner, Classic: won in 12.35 s - Sapper</title>" in html.text
    tags = dict(re.findall(r'<meta property="([^"]+)" content="([^"]*)"', html.text))
    assert tags["og:image"].endswith(f"/g/{page}.png")
    assert tags["og:url"].endswith(f"/g/{page}")
    assert '<meta name="robots" content="noindex" />' in html.text
    png = other.get(f"/g/{page}.png")
    assert png.headers["content-type"] == "image/png"
    assert png.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert other.get(f"/g/{page}.png").content == png.content
    assert other.get(f"/g/{page}.svg").text.startswith("<svg")


def test_a_link_stops_working_when_the_game_is_no_longer_shared(
    browser: Browsers, store: Store
) -> None:
    """Erasing the game has the same effect; sharing it again creates a new link."""
    record = finish(store, _ANN, won_game(), _NOW, 12_345)
    ann, other = browser(_ANN), browser("")
    page = share(ann, record.key)["id"]
    other.get(f"/g/{page}.svg")
    assert ann.delete(f"/api/history/games/{record.key}/share").json()["id"] is None
    for path in (f"/g/{page}", f"/g/{page}.svg", f"/g/{page}.png", f"/api/games/{page}"):
        assert other.get(path).status_code == 404
    again = share(ann, record.key)["id"]
    assert again != page
    erased = ann.post("/api/history/erase", json={"games": 1})
    assert erased.json() == {"erased": 1}
    assert other.get(f"/g/{again}").status_code == 404
    with store.database.using() as db:
        assert db.execute("SELECT count(*) FROM public_games").fetchone() == (0,)


def test_only_the_player_can_share_a_game(browser: Browsers, store: Store) -> None:
    """Other browsers and unknown games get the usual errors."""
    record = finish(store, _ANN, won_game(), _NOW, 12_345)
    for client, key in ((browser(_BERT), record.key), (browser(""), record.key)):
        for method in ("POST", "GET", "DELETE"):
            path = f"/api/history/games/{key}/share"
            answer = client.request(method, path, json={"listed": True})
            if method == "POST" or not client.cookies:
                assert answer.json()["error"]["code"] == "no_game"
            else:
                assert answer.json()["id"] is None
    answer = browser(_ANN).post(f"/api/history/games/{record.key}/share", json={"listed": 1})
    assert answer.json()["error"]["code"] == "bad_message"
    assert browser("").get("/api/games/x").json()["error"]["code"] == "no_game"


def test_todays_daily_board_cannot_be_shared_yet(browser: Browsers, store: Store) -> None:
    """The mines of a daily board stay secret until the day is over."""
    boards, today = store.daily_boards, datetime.now(UTC).date()
    mine = boards.board(today).board.mine_cells()[0]
    attempt = daily_game(boards.seed(today))
    attempt.open(mine)
    finish(store, _ANN, attempt, _NOW, 12_345, variant="daily")
    answer = browser(_ANN).post("/api/history/games/last/share", json={})
    assert answer.json()["error"]["code"] == "illegal_action"
    yesterday = daily_game(boards.seed(today - timedelta(1)))
    yesterday.open(boards.board(today - timedelta(1)).board.mine_cells()[0])
    finish(store, _ANN, yesterday, _NOW + 1, 12_345, variant="daily")
    assert browser(_ANN).post("/api/history/games/last/share", json={}).json()["id"]


@pytest.mark.parametrize("seed", [None, 7])
def test_games_that_repeat_todays_daily_board_cannot_be_shared_yet(
    browser: Browsers, store: Store, seed: int | None
) -> None:
    """*Again* and a retry from a review could be shared, and their replays showed the mines."""
    boards, today = store.daily_boards, datetime.now(UTC).date()
    game = daily_game(boards.seed(today))
    if seed is not None:
        saved = game.to_json()
        game = Game.from_json({**saved, "seed": seed})
    game.open(boards.board(today).board.mine_cells()[0])
    finish(store, _ANN, game, _NOW, 12_345, helped="again")
    answer = browser(_ANN).post("/api/history/games/last/share", json={})
    assert answer.json()["error"]["code"] == "illegal_action"


def test_the_number_of_shared_games_is_limited(
    browser: Browsers, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the limit, a shared game can still be changed."""
    monkeypatch.setattr(public_games, "MOST_SHARED", 1)
    first = finish(store, _ANN, won_game(), _NOW, 12_345)
    second = finish(store, _ANN, won_game(), _NOW + 1, 12_345)
    ann = browser(_ANN)
    share(ann, first.key)
    answer = ann.post(f"/api/history/games/{second.key}/share", json={})
    assert answer.json()["error"]["code"] == "bad_setting"
    assert share(ann, first.key, listed=True)["listed"]
