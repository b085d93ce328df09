"""Leaderboards and profiles over HTTP, with names, and who may see what."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

from sapper.history import Record
from sapper.server.storage.day_results import DayResult
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.store import Change, Store
from support.account_requests import ask, claim
from support.authenticators import SoftAuthenticator
from support.standings import end_round, finish, won_game

_BOARD = {"rules": "classic", "level": "beginner"}


def now_ms() -> int:
    """Return the current time, because leaderboards have periods."""
    return int(datetime.now(UTC).timestamp() * 1000)


class People:
    """Browsers of people with names, and one of a guest."""

    def __init__(self, site: Any) -> None:
        self._site, self.opened = site, dict[str, httpx.Client]()

    def __call__(self, name: str) -> httpx.Client:
        """Return the browser of a person, or of a guest without a name."""
        if name not in self.opened:
            url = f"http://localhost:{self._site.port}"
            client = httpx.Client(base_url=url, trust_env=False, verify=False, timeout=300)
            self.opened[name] = client
            client.get("/")
            if name:
                claim(client, SoftAuthenticator(len(self.opened)), name)
        return self.opened[name]

    def player(self, name: str) -> str:
        """Return the session of a person."""
        self(name)
        with self._site.store.database.using() as db:
            row = db.execute("SELECT player FROM accounts WHERE name = ?", (name,)).fetchone()
        return str(row[0])

    def win(self, name: str, time_ms: int, number: int = 0) -> Record:
        """Save a won game of a person; each number gives a different game, which finished later."""
        game, player = won_game("beginner", number), self.player(name)
        return finish(self._site.store, player, game, now_ms() + number, time_ms)


@pytest.fixture
def store(any_store: Store) -> Store:
    """The store on each database engine in turn."""
    return any_store


@pytest.fixture
def people(site: Any) -> Iterator[People]:
    """The browsers."""
    made = People(site)
    yield made
    for client in made.opened.values():
        client.close()


def get(client: httpx.Client, path: str, **query: str) -> dict[str, Any]:
    """Return the answer to a request that must succeed."""
    answer = client.get(f"/api/{path}", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def code(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and code of a refusal."""
    assert set(answer.json()["error"]) == {"code", "message"}
    return answer.status_code, answer.json()["error"]["code"]


def test_a_record_proves_itself(people: People) -> None:
    """Everyone can open the replay of an entry, and the viewer's own row is marked."""
    people.win("Ann", 20_000)
    people.win("Bert", 15_000)
    people.win("Ann", 18_000, 1)
    board = get(people("Ann"), "leaderboard", **_BOARD)
    assert [(row["place"], row["name"], row["value"], row["own"]) for row in board["rows"]] == [
        (1, "Bert", 15.0, False),
        (2, "Ann", 18.0, True),
    ]
    assert board["own"] == board["rows"][1]
    for period in ("day", "month"):
        assert len(get(people(""), "leaderboard", period=period, **_BOARD)["rows"]) == 2
    link = board["rows"][0]["game"]
    found = get(people(""), f"games/{link}")
    assert (found["name"], found["board"]) == ("Bert", "classic beginner")
    assert (found["shared"], found["profile"]) == (False, True)
    page = people("").get(f"/g/{link}")
    assert "<title>Bert: Beginner, Classic: won in 15.00 s - Sapper</title>" in page.text
    for measure in ("speed", "efficiency"):
        rows = get(people(""), "leaderboard", measure=measure, **_BOARD)["rows"]
        assert {row["place"] for row in rows} <= {1, 2}


def test_helped_and_imported_games_do_not_count(people: People, store: Store) -> None:
    """Only games timed by the server appear on a leaderboard."""
    finish(store, people.player("Ann"), won_game(), now_ms(), 9_000, helped="hint")
    finish(store, people.player("Ann"), won_game("beginner", 1), now_ms(), 9_000, bot="exact")
    record = Record.of_game(won_game(), now_ms())
    imported = people("Ann").post("/api/history/import", content=json.dumps(record.to_json()))
    assert imported.json()["added"] == 1
    assert get(people(""), "leaderboard", **_BOARD)["rows"] == []


def test_wrong_parameters_are_refused(people: People) -> None:
    """Each error names the parameter."""
    guest = people("")
    for query in (
        {"measure": "luck"},
        {"period": "week"},
        {"rules": "none"},
        {"level": "9x9:99"},
        {"among": "x"},
        {"start": "0"},
        {"start": "me"},
        {"start": "9" * 10},
        {"day": "2999-01-01"},
        {"day": "soon"},
    ):
        status, _ = code(guest.get("/api/leaderboard", params=query))
        assert status == 400
    for listed in ("", "x" * 101):
        status, _ = code(guest.get("/api/ratings", params={"list": listed}))
        assert status == 400
    assert get(guest, "leaderboards")["name"] is None
    assert get(people("Ann"), "leaderboards")["name"] == "Ann"


def test_leaderboards_open_on_a_game_that_somebody_has_won(people: People) -> None:
    """Without any entry, they open on the game that a visitor begins with."""
    guest = people("")
    assert get(guest, "leaderboards")["usual"] == {"rules": "classic", "level": "beginner"}
    people.win("Ann", 20_000)
    usual = get(guest, "leaderboards")["usual"]
    assert usual == {name: _BOARD[name] for name in ("rules", "level")}
    assert len(get(guest, "leaderboard", **usual)["rows"]) == 1


def test_rating_lists_can_be_read(people: People, store: Store) -> None:
    """Everyone sees the names, ratings and intervals of players with a settled rating."""
    guest = people("")
    assert get(guest, "leaderboards")["lists"] == []
    for name in ("Ann", "Bert", "Cleo"):
        people(name)
    with store.database.writing() as db:
        for name, rating, deviation in (("Ann", 1600.5, 60), ("Bert", 1700, 70), ("Cleo", 1, 200)):
            db.execute(
                "INSERT INTO ratings VALUES (?, 'race expert classic', ?, ?, 0.06, 30, 5)",
                (people.player(name), rating, deviation),
            )
    expert = {"list": "race expert classic", "kind": "race", "level_label": "Expert"}
    assert get(guest, "leaderboards")["lists"] == [{**expert, "rules": ["classic"]}]
    found = get(people("Ann"), "ratings", list="race expert classic")
    assert [(row["place"], row["name"], row["rating"], row["own"]) for row in found["rows"]] == [
        (1, "Bert", 1700, False),
        (2, "Ann", 1600.5, True),
    ]
    assert found["own"] == found["rows"][1]
    assert (found["players"], found["start"], found["name"]) == (2, 1, "Ann")
    assert (found["own"]["deviation"], found["own"]["games"], found["own"]["changed_ms"]) == (
        60,
        30,
        5,
    )
    assert people.player("Ann") not in json.dumps(get(guest, "ratings", list="race expert classic"))
    followed = get(people("Ann"), "ratings", list="race expert classic", among="followed")
    assert [row["name"] for row in followed["rows"]] == ["Ann"]
    second = get(guest, "ratings", list="race expert classic", start=2)
    assert [(row["place"], row["name"]) for row in second["rows"]] == [(2, "Ann")]


def test_erased_games_leave_the_leaderboard(people: People) -> None:
    """The player's next best game replaces an erased one."""
    people.win("Ann", 20_000)
    best = people.win("Ann", 15_000, 1_000)
    ann = people("Ann")
    link = get(ann, "leaderboard", **_BOARD)["rows"][0]["game"]
    erased = ann.post(
        "/api/history/erase",
        json={"games": 1, "selection": {"since_ms": str(best.finished_ms)}},
    )
    assert erased.json() == {"erased": 1}
    [row] = get(ann, "leaderboard", **_BOARD)["rows"]
    assert row["value"] == 20.0
    assert people("").get(f"/g/{link}").status_code == 404


def test_replays_of_todays_daily_board_stay_closed(people: People, store: Store) -> None:
    """The day's leaderboard lists results without links until the day is over."""
    today = datetime.now(UTC).date().isoformat()
    game, player = won_game(), people.player("Ann")
    record = Record.of_game(game, now_ms(), time_ms=9_000, variant="daily", measured=False)
    result = DayResult(today, True, 9.0, record.bbbv, record.clicks, None)
    store.commit([Change(player, "{}", None, 0, (), (record,), ((result, "{}"),))])
    [row] = get(people(""), "leaderboard", day=today)["rows"]
    assert (row["name"], row["value"], row["game"]) == ("Ann", 9.0, None)
    with store.database.using() as db:
        [link] = db.execute("SELECT link FROM entries").fetchone()
    assert people("").get(f"/g/{link}").status_code == 404


def test_a_profile_shows_what_its_owner_has_done(people: People, store: Store) -> None:
    """Bests link to their replays, but games that are not listed have no link."""
    record = people.win("Ann", 20_000)
    ann, bert = people.player("Ann"), people.player("Bert")
    end_round(
        store.database,
        RoundEnded("r:1", "race", "beginner", True, now_ms(), {ann: 1, bert: 2}, {ann: 9_000}),
    )
    found = get(people(""), "profiles/Ann")
    assert (found["name"], found["own"], found["following"]) == ("Ann", False, None)
    [best] = found["bests"]
    assert get(people(""), f"games/{best['time']['game']}")["name"] == "Ann"
    [kind] = found["statistics"]
    assert (kind["games"], kind["won"], kind["best_ms"]) == (1, 1, 20_000)
    [rating] = found["ratings"]
    assert (rating["kind"], rating["games"], rating["provisional"]) == ("race", 1, True)
    assert rating["changes"][0][1] == rating["rating"] > 1500
    assert found["daily"] == {"streak": 0, "played": 0, "won": 0}
    [game] = found["games"]
    assert game["id"] is None
    shared = people("Ann").post(f"/api/history/games/{record.key}/share", json={"listed": True})
    [game] = get(people(""), "profiles/ann")["games"]
    assert game["id"] == shared.json()["id"]


def test_a_profile_lists_levels_from_beginner_to_expert(people: People, store: Store) -> None:
    """Best games and ratings follow the order of the presets, and other levels come last."""
    ann, bert = people.player("Ann"), people.player("Bert")
    for number, level in enumerate(("expert", "9x9:12", "intermediate", "beginner")):
        ended = RoundEnded(f"r:{number}", "race", level, True, now_ms(), {ann: 1, bert: 2}, {})
        end_round(store.database, ended)
    for level in ("expert", "intermediate", "beginner"):
        finish(store, ann, won_game(level), now_ms(), 90_000)
    found = get(people(""), "profiles/Ann")
    presets = ["Beginner", "Intermediate", "Expert"]
    assert [one["level_label"] for one in found["ratings"]] == [*presets, "9x9:12"]
    assert [one["level_label"] for one in found["bests"]] == presets


def test_a_private_profile_looks_like_none(people: People) -> None:
    """Leaderboards keep the name without a link, and the owner still sees the page."""
    people.win("Ann", 20_000)
    ann, bert, guest = people("Ann"), people("Bert"), people("")
    changed = ask(ann, "private", private=True)
    assert changed["account"]["private"]
    none = code(guest.get("/api/profiles/Nobody"))
    for client in (bert, guest):
        assert code(client.get("/api/profiles/Ann")) == none == (404, "no_game")
        pages = [client.get(f"/@{name}", follow_redirects=False) for name in ("Ann", "Nobody")]
        assert [page.status_code for page in pages] == [404, 404]
        assert pages[0].text.replace("Ann", "Nobody") == pages[1].text
    assert code(bert.post("/api/profiles/Ann/follow", json={})) == (404, "no_game")
    [row] = get(guest, "leaderboard", **_BOARD)["rows"]
    assert (row["name"], row["profile"]) == ("Ann", False)
    assert get(ann, "profiles/Ann")["private"]
    assert ann.get("/@Ann").status_code == 200
    assert not ask(ann, "private", private=False)["account"]["private"]
    assert guest.get("/@Ann").status_code == 200
    assert code(ann.post("/api/account/private", json={"private": 1})) == (400, "bad_message")
    assert code(guest.post("/api/account/private", json={"private": True}))[0] == 401


def test_a_former_name_leads_to_the_current_one(people: People) -> None:
    """A former name redirects while it is reserved, and the spelling of a name is corrected."""
    ann = people("Ann")
    ask(ann, "rename", name="Anna B")
    for old in ("Ann", "ann", "ANNA B"):
        answer = people("").get(f"/@{old}", follow_redirects=False)
        assert (answer.status_code, answer.headers["location"]) == (302, "/@Anna%20B")
    page = people("").get("/@Anna B")
    assert page.status_code == 200
    assert "<title>Anna B - Sapper</title>" in page.text


def test_a_leaderboard_can_be_limited_to_those_one_follows(people: People) -> None:
    """Following needs a name, but unfollowing works even if the profile has become private."""
    for name, time_ms in (("Ann", 20_000), ("Bert", 15_000), ("Cleo", 10_000)):
        people.win(name, time_ms)
    ann = people("Ann")
    assert code(people("").post("/api/profiles/Bert/follow", json={})) == (401, "signed_out")
    assert code(people("").get("/api/following")) == (401, "signed_out")
    assert code(ann.post("/api/profiles/Ann/follow", json={})) == (400, "bad_setting")
    assert ann.post("/api/profiles/Bert/follow", json={}).json() == {"following": True}
    assert get(ann, "following") == {"following": [{"name": "Bert", "profile": True}]}
    assert get(ann, "profiles/Bert")["following"]
    rows = get(ann, "leaderboard", among="followed", **_BOARD)["rows"]
    assert [(row["place"], row["name"]) for row in rows] == [(1, "Bert"), (2, "Ann")]
    assert get(people(""), "leaderboard", among="followed", **_BOARD)["rows"] == []
    ask(people("Bert"), "private", private=True)
    assert ann.post("/api/profiles/Bert/unfollow", json={}).json() == {"following": False}
    assert get(ann, "following") == {"following": []}


def test_export_and_deletion_include_everything(people: People, store: Store) -> None:
    """The export gives the names of followed people, not their sessions."""
    record = people.win("Ann", 20_000)
    ann = people("Ann")
    ann.post("/api/profiles/Bert/follow", json={})
    people("Bert")
    ann.post("/api/profiles/Bert/follow", json={})
    people("Bert").post("/api/profiles/Ann/follow", json={})
    ann.post(f"/api/history/games/{record.key}/share", json={})
    ask(ann, "private", private=True)
    exported = zipfile.ZipFile(io.BytesIO(ann.get("/api/account/export").content))
    found = json.loads(exported.read("standing.json"))
    assert [len(found[name]) for name in ("entries", "public_games", "profiles")] == [1, 1, 1]
    assert [one["name"] for one in found["follows"]] == ["Bert"]
    assert people.player("Bert") not in exported.read("standing.json").decode()
    ask(ann, "delete", name="Ann")
    with store.database.using() as db:
        for table in ("entries", "bests", "public_games", "profiles", "follows"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
