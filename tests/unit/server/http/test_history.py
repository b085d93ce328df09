"""Finished games in a visitor's history: recorded, listed, exported, imported, erased."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from sapper.game import Game
from sapper.history import Record
from sapper.position import Position
from sapper.replay import Playback, from_json
from sapper.server import limits
from sapper.server.jobs import measuring
from sapper.server.storage.store import Store
from support.histories import made_up, played
from support.waiting import until

ME, OTHER = "h" * 24, "o" * 24


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run these tests on both database engines."""
    return any_store


@contextmanager
def browser(site: Any, session: str) -> Iterator[httpx.Client]:
    """Return a browser for this session."""
    cookies = {"sapper": site.ids.sign(session)}
    made: dict[str, Any] = {"base_url": f"{site.url}/api/history", "cookies": cookies}
    with httpx.Client(trust_env=False, verify=False, timeout=300, **made) as client:
        yield client


@pytest.fixture
def client(site: Any) -> Iterator[httpx.Client]:
    """A browser with a new session."""
    with browser(site, ME) as made:
        yield made


def lose(player: Any) -> dict[str, Any]:
    """Open a mine and return the answer."""
    player.send("new", settings={"level": "beginner", "rules": "classic"}, seed=36)
    player.send("open", cell=[4, 4])
    answer: dict[str, Any] = {"status": "playing"}
    cells = iter(divmod(index, 9) for index in range(81))
    while answer["status"] == "playing":
        answer = player.send("open", cell=list(next(cells)))
    assert answer["status"] == "lost"
    return answer


def test_a_finished_game_is_in_the_history(site: Any, client: httpx.Client) -> None:
    """The answer to the last move includes the game's id; other visitors cannot see the game."""
    with site.player(ME) as player:
        won = player.send("new", settings={"level": "9x9:0", "rules": "classic"})
        won = player.send("open", cell=[4, 4])["event"]
        lost = lose(player)["event"]
    found = client.get("/games").json()
    assert found["total"] == 2
    assert [game["id"] for game in found["games"]] == [lost["game"], won["game"]]
    latest, first = found["games"]
    assert (latest["won"], latest["helped"], latest["level"]) == (False, "seed", "beginner")
    assert (first["won"], first["helped"], first["bot"]) == (True, "", "")
    assert first["time_ms"] == round(1000 * won["seconds"])
    assert first["started_ms"] <= first["finished_ms"]
    whole = client.get(f"/games/{lost['game']}").json()
    game = Game.from_json(whole["saved"])
    assert game.status == "lost"
    assert Playback(from_json(whole["replay"])).status == "lost"
    with browser(site, OTHER) as other:
        assert other.get("/games").json()["total"] == 0
        refused = other.get(f"/games/{lost['game']}")
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "no_game")


def test_games_have_replays(store: Store, site: Any, client: httpx.Client) -> None:
    """A replay may begin at a shared position; games on boards too large for the page have none."""
    shown = {"rows": ["1.2..", ".....", "....."], "mines": 2}
    with site.player(ME) as player:
        player.send("position", position=shown)
        answer = {"status": "playing"}
        closed = iter(Position.from_json(shown).unopened_cells())
        while answer["status"] == "playing":
            answer = player.send("open", cell=list(next(closed)))
    [game] = client.get("/games").json()["games"]
    assert (game["helped"], game["replay"]) == ("shared", True)
    replay = client.get(f"/games/{game['id']}").json()["replay"]
    assert replay["position"]["rows"] == shown["rows"]
    played_again = Playback(from_json(replay))
    assert str(played_again.status) == answer["status"]
    store.history.of(ME).add(replace(made_up(1), level="300x300:9000"))
    assert [game["replay"] for game in client.get("/games").json()["games"]].count(False) == 1


def test_undone_and_finished_game_counts_twice(site: Any, client: httpx.Client) -> None:
    """The loss stays a loss; the game that continues after the undo counts as helped."""
    with site.player(ME) as player:
        first = lose(player)["event"]["game"]
        player.send("undo")
        player.send("open", cell=[0, 0])
        second = lose(player)["event"]["game"]
    games = client.get("/games").json()["games"]
    assert [game["id"] for game in games] == [second, first]


def test_bot_game_has_the_name_of_the_bot(site: Any, client: httpx.Client) -> None:
    """A bot's game is neither a helped game nor one of the visitor's own."""
    with site.player(ME) as player:
        player.send("new", settings={"level": "9x9:1", "rules": "classic"})
        player.send("assist", mode="automatic")
        player.send("automatic", do="play", delay_ms=0, bot="exact")
        player.until("delta", lambda told: told["status"] in ("won", "lost"))
    [game] = client.get("/games").json()["games"]
    assert (game["bot"], game["helped"]) == ("exact", "")
    assert client.get("/games", params={"bot": ""}).json()["total"] == 0


def test_guesses_are_measured_later(
    site: Any, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the exact engine has judged them, guesses are listed as not yet measured."""
    monkeypatch.setattr(measuring, "_DELAY_S", 0.0)
    with site.player(ME) as player:
        key = lose(player)["event"]["game"]

        def measured() -> bool:
            return client.get("/statistics").json()["statistics"]["unmeasured"] == 0

        until(measured, "the measures")
    whole = client.get(f"/games/{key}").json()
    expected = Record.of_game(Game.from_json(whole["saved"]), 0)
    for name in ("solved", "forced_guesses", "needless_guesses", "risk"):
        assert whole["game"][name] == getattr(expected, name)


def test_statistics_match_the_selection(store: Store, site: Any, client: httpx.Client) -> None:
    """Statistics can be filtered by rules, level, help, time and bot, and list the best games."""
    store.history.of(ME).add_all(made_up(number) for number in range(50))
    found = client.get(
        "/statistics", params={"helped": "0", "bot": "", "zone": "Europe/Prague"}
    ).json()
    games = [made_up(number) for number in range(50)]
    own = [game for game in games if not game.helped and not game.bot]
    assert found["statistics"]["games"] == len(own)
    kinds = {(game.level, game.rules) for game in own if game.won}
    assert {(game["level"], game["rules"]) for game in found["best"]} == kinds
    for level, rules in kinds:
        only = {"helped": "0", "bot": "", "level": level, "rules": rules}
        here = [game for game in own if game.won and (game.level, game.rules) == (level, rules)]
        fastest = client.get("/statistics", params=only).json()["best"]
        assert [game["time_ms"] for game in fastest] == sorted(game.time_ms for game in here)[:5]
        assert fastest[0] in found["best"]
    assert sum(kind["games"] for kind in found["kinds"]) == 50
    page = client.get("/games", params={"offset": 10, "limit": 3}).json()
    assert [game["id"] for game in page["games"]] == [game.key for game in games[::-1][10:13]]


@pytest.mark.parametrize("kind", ["jsonl", pytest.param("parquet", marks=pytest.mark.slow)])
def test_an_exported_history_can_be_imported(
    store: Store, site: Any, client: httpx.Client, kind: str
) -> None:
    """Another visitor gets the same games, and a second import adds nothing."""
    games = [played(1), played(2)]
    store.history.of(ME).add_all(games)
    exported = client.get("/export", params={"format": kind})
    assert f"sapper-history.{kind}" in exported.headers["content-disposition"]
    with browser(site, OTHER) as other:
        for added in (2, 0):
            told = other.post("/import", content=exported.content).json()
            assert told == {"games": 2, "added": added, "refused": 0, "refusals": [], "skipped": []}
    assert sorted(store.history.of(OTHER).records(), key=lambda game: game.key) == sorted(
        games, key=lambda game: game.key
    )


def test_import_with_a_wrong_line_adds_nothing(store: Store, client: httpx.Client) -> None:
    """The message gives the line number."""
    lines = [json.dumps(played(seed).to_json()) for seed in (1, 2)]
    refused = client.post("/import", content="\n".join([*lines, "{}"]))
    assert refused.status_code == 400
    assert "line 3: a game of the history needs" in refused.json()["error"]["message"]
    assert store.history.count() == 0


def test_concurrent_imports_are_limited(
    site: Any, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more import is refused; a file that never arrives occupies nothing."""
    monkeypatch.setattr(limits, "FILES", 1)

    def status() -> int:
        return client.post("/import", content=b"").status_code

    assert status() == 200
    with socket.create_connection(("127.0.0.1", site.port), timeout=300) as slow:
        head = ["POST /api/history/import HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 9"]
        slow.sendall("\r\n".join([*head, "Expect: 100-continue", "", ""]).encode())
        # The server is reading it from here on.
        assert slow.recv(100).startswith(b"HTTP/1.1 100 ")
        assert status() == 200
        monkeypatch.setattr(limits, "FILES", 0)
        assert status() == 503


def test_erasing_requires_the_number(store: Store, site: Any, client: httpx.Client) -> None:
    """A page with outdated figures erases nothing; other visitors' games are not affected."""
    for owner in (ME, OTHER):
        store.history.of(owner).add_all(made_up(number) for number in range(20))
    refused = client.post("/erase", json={"games": 19})
    assert refused.json()["error"]["message"] == "'games' must be their number, 20 by now, got 19"
    bots = store.history.of(ME).count() - len([n for n in range(20) if not made_up(n).bot])
    erased = client.post("/erase", json={"games": bots, "selection": {"bot": "exact"}}).json()
    assert erased == {"erased": bots}
    no_text = client.post("/erase", content=r'{"games": 0, "selection": {"player": "\ud800"}}')
    assert no_text.status_code == 400
    assert no_text.json()["error"]["message"] == r"'player' must be a text, got '\ud800'"
    assert client.post("/erase", json={"games": 20 - bots}).json() == {"erased": 20 - bots}
    assert (store.history.of(ME).count(), store.history.of(OTHER).count()) == (0, 20)


def test_rank_of_a_win_depends_on_the_history(
    store: Store, site: Any, client: httpx.Client, tmp_path: Path
) -> None:
    """Erased games no longer affect the rank of a win."""

    def win() -> tuple[int, int]:
        player.send("new", settings={"level": "9x9:0", "rules": "classic"})
        event = player.send("open", cell=[4, 4])["event"]
        return event["rank"], event["wins"]

    with site.player(ME) as player:
        win()
        assert win()[1] == 2
        assert client.post("/erase", json={"games": 2}).status_code == 200
        assert win() == (1, 1)


@pytest.mark.parametrize(
    ("path", "params", "said"),
    [
        ("/statistics", {"won": "yes"}, "'won' must be 0 or 1, got 'yes'"),
        ("/statistics", {"zone": "../etc"}, "'zone' must be a time zone such as Europe/Prague"),
        ("/games", {"limit": "501"}, "'limit' must be a number from 0 to 500, got '501'"),
        ("/games", {"since_ms": "-1"}, "'since_ms' must be a number from 0"),
        ("/export", {"format": "xml"}, "'format' must be jsonl or parquet, got 'xml'"),
    ],
)
def test_wrong_parameters_are_rejected(
    client: httpx.Client, path: str, params: dict[str, str], said: str
) -> None:
    """The message gives the value and the allowed range."""
    refused = client.get(path, params=params)
    assert refused.status_code == 400
    assert said in refused.json()["error"]["message"]


def test_rule_set_names_are_translated(site: Any) -> None:
    """The history and the review use the label from the list of rule sets."""
    with site.player(ME) as player:
        player.send("new", settings={"level": "9x9:0", "rules": "classic"})
        player.send("open", cell=[4, 4])
    cookies = {"sapper": site.ids.sign(ME), "sapper-language": "de"}
    with httpx.Client(
        base_url=site.url, cookies=cookies, trust_env=False, verify=False, timeout=300
    ) as german:
        found = german.get("/api/history/statistics").json()
        assert [kind["rules_label"] for kind in found["kinds"]] == ["Klassisch"]
        (game,) = german.get("/api/history/games").json()["games"]
        assert (game["rules"], game["rules_label"]) == ("classic", "Klassisch")
        review = german.get("/api/review", params={"game": game["id"]}).text.splitlines()
        assert json.loads(review[0])["rules_label"] == "Klassisch"


def test_import_reports_progress(store: Store, client: httpx.Client) -> None:
    """Progress is sent as JSON lines; the last line is the result or the error."""
    lines = [json.dumps(played(seed).to_json()) for seed in (1, 2)]
    for last, result in (
        ("", {"games": 2, "refused": 0, "refusals": [], "skipped": [], "added": 2}),
        ("5", {"error": {"code": "bad_save", "message": "line 3: a game of the history must be"}}),
    ):
        content = "\n".join([*lines, last])
        headers = {"accept": "application/x-ndjson"}
        answer = client.post("/import", content=content, headers=headers)
        first, *_, end = [json.loads(line) for line in answer.text.splitlines()]
        assert first == {"progress": {"games": 0, "share": 0.0}}
        if "error" in result:
            end["error"]["message"] = end["error"]["message"][:37]
        assert end == result
    assert store.history.count() == 2
