"""Tournaments over HTTP, with rooms whose races end immediately."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

from sapper.community import RaceSettings
from sapper.server.http import tournaments
from sapper.server.http.tournaments import TournamentRunner
from sapper.server.storage.ratings import Ratings
from sapper.server.storage.round_ended import RoundEnded
from sapper.server.storage.store import Store
from support.account_requests import claim
from support.authenticators import SoftAuthenticator
from support.standings import end_round
from support.waiting import until

_FRIDAY = {"name": "Friday", "minutes": 1, "race_size": 2, "level": "beginner", "rated": True}


class Rooms:
    """Rooms that only record the players."""

    def __init__(self) -> None:
        self.made: dict[str, tuple[dict[str, str], str, int]] = {}
        self.settings: list[RaceSettings] = []

    async def create_for(
        self, settings: RaceSettings, seed: int, players: dict[str, str], tournament: str, race: int
    ) -> str:
        """Create a room."""
        code = f"ROOM{race}"
        self.made[code] = players, tournament, race
        self.settings.append(settings)
        return code

    async def exists(self, code: str) -> bool:
        """Return whether a room has been created."""
        return code in self.made


@pytest.fixture
def store(any_store: Store) -> Store:
    """The store on each database engine in turn."""
    return any_store


@pytest.fixture(autouse=True)
def pace(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Prevent the server from starting races unless a test sets how often it does."""
    monkeypatch.setattr(tournaments, "_INTERVAL_S", getattr(request, "param", 1e6))


@pytest.fixture
def browsers(site: Any) -> Iterator[list[httpx.Client]]:
    """The browsers of Ann, Bert and a guest."""
    url = f"http://localhost:{site.port}"
    made = [
        httpx.Client(base_url=url, trust_env=False, verify=False, timeout=300) for _ in range(3)
    ]
    for number, name in enumerate(("Ann", "Bert")):
        made[number].get("/")
        claim(made[number], SoftAuthenticator(number + 1), name)
    yield made
    for client in made:
        client.close()


def post(client: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    """Return the answer to a request that must succeed."""
    answer = client.post(f"/api/tournaments{path}", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_players_race_and_see_the_table(browsers: list[httpx.Client], store: Store) -> None:
    """A race is paired once, its result counts once, and everyone sees only names."""
    ann, bert, guest = browsers
    code = post(ann, "", **_FRIDAY)["code"]
    for client in (ann, bert):
        assert post(client, f"/{code.lower()}/join")["you"]["state"] == "ready"
    rooms = Rooms()
    runner = TournamentRunner(store, rooms)

    async def race() -> None:
        await runner.tick(code)
        await runner.tick(code)

    asyncio.run(race())
    [(players, tournament, number)] = rooms.made.values()
    assert (tournament, number, sorted(players.values())) == (code, 1, ["Ann", "Bert"])
    assert post(bert, f"/{code}/pause")["you"]["pausing"]
    you = post(ann, f"/{code}/join")["you"]
    assert (you["room"], you["pausing"]) == ("ROOM1", False)
    first, second = sorted(players, key=lambda one: players[one])
    ended = RoundEnded(
        "r:1", "race", "beginner", True, 1_000, {first: 1, second: 2}, {first: 900}, code, 1
    )

    for _ in range(2):
        end_round(store.database, ended)
    answer = guest.get(f"/api/tournaments/{code}")
    assert first not in answer.text
    table = answer.json()["table"]
    assert [(row["name"], row["points"], row["state"]) for row in table] == [
        ("Ann", 1, "ready"),
        ("Bert", 0, "paused"),
    ]
    assert answer.json()["you"] is None
    assert Ratings(store.database).of(first)[0].games == 1
    assert post(bert, f"/{code}/join")["you"]["state"] == "ready"
    assert post(bert, f"/{code}/pause")["you"]["state"] == "paused"
    page = guest.get(f"/t/{code}")
    assert "<title>Friday - Sapper</title>" in page.text
    [listed] = guest.get("/api/tournaments").json()["tournaments"]
    assert (listed["code"], listed["players"]) == (code, 2)


def test_races_can_have_different_boards(browsers: list[httpx.Client], store: Store) -> None:
    """The setting is shown to everyone, and applies to the room of each race."""
    ann, bert, guest = browsers
    code = post(ann, "", **_FRIDAY, boards="different")["code"]
    for client in (ann, bert):
        post(client, f"/{code}/join")
    assert guest.get(f"/api/tournaments/{code}").json()["boards"] == "different"
    [listed] = guest.get("/api/tournaments").json()["tournaments"]
    assert listed["boards"] == "different"
    rooms = Rooms()
    asyncio.run(TournamentRunner(store, rooms).tick(code))
    assert [str(settings.boards) for settings in rooms.settings] == ["different"]
    refused = ann.post("/api/tournaments", json={**_FRIDAY, "boards": "many"})
    assert refused.status_code == 400
    assert "boards" in refused.json()["error"]["message"]


def test_a_tournament_can_start_later(browsers: list[httpx.Client], store: Store) -> None:
    """Until then, players join and nobody races."""
    ann, bert, guest = browsers
    code = post(ann, "", **_FRIDAY, starts_in=5)["code"]
    for client in (ann, bert):
        assert post(client, f"/{code}/join")["you"]["state"] == "ready"
    rooms = Rooms()
    asyncio.run(TournamentRunner(store, rooms).tick(code))
    assert rooms.made == {}
    found = guest.get(f"/api/tournaments/{code}").json()
    assert 0 < found["starts_in_ms"] <= 300_000
    assert found["left_ms"] - found["starts_in_ms"] == found["minutes"] * 60_000
    [listed] = guest.get("/api/tournaments").json()["tournaments"]
    assert 0 < listed["starts_in_ms"] <= 300_000
    refused = ann.post("/api/tournaments", json={**_FRIDAY, "starts_in": 1441})
    assert refused.status_code == 400


@pytest.mark.parametrize("pace", [0.01], indirect=True)
def test_the_server_makes_the_rooms_of_races(browsers: list[httpx.Client]) -> None:
    """Both players are sent to the same room, which others can only watch."""
    ann, bert, _ = browsers
    code = post(ann, "", **_FRIDAY)["code"]
    for client in (ann, bert):
        post(client, f"/{code}/join")

    def rooms() -> list[str | None]:
        answers = [client.get(f"/api/tournaments/{code}").json() for client in (ann, bert)]
        return [answer["you"]["room"] for answer in answers]

    until(lambda: None not in rooms(), "the room of the race")
    [first, second] = rooms()
    assert first == second
    listed = ann.get("/api/rooms").json()["rooms"]
    assert first not in [room["code"] for room in listed]


def test_a_lost_room_does_not_stop_the_tournament(
    browsers: list[httpx.Client], store: Store
) -> None:
    """The race has no result, and its players can join again."""
    ann, bert, _ = browsers
    code = post(ann, "", **_FRIDAY)["code"]
    for client in (ann, bert):
        post(client, f"/{code}/join")
    rooms = Rooms()
    runner = TournamentRunner(store, rooms)

    async def lose() -> None:
        await runner.tick(code)
        rooms.made.clear()
        await runner.tick(code)

    asyncio.run(lose())
    found = post(ann, f"/{code}/join")
    assert (found["you"]["state"], found["races"]) == ("ready", [])


def test_wrong_requests_are_refused(browsers: list[httpx.Client]) -> None:
    """Creating and joining need a name, and settings have limits."""
    ann, _, guest = browsers
    answer = guest.post("/api/tournaments", json=_FRIDAY)
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "signed_out")
    for wrong in (
        {"name": ""},
        {"name": "x" * 61},
        {"name": "a\nb"},
        {"name": 1},
        {"minutes": 0},
        {"minutes": 10**6},
        {"minutes": "5"},
        {"race_size": 1},
        {"race_size": 51},
        {"level": "9x9:99"},
        {"level": [1]},
        {"level": "1000x1000:99"},
        {"rules": "kind"},
        {"rules": {}},
        {"mine": "x"},
        {"rated": 1},
    ):
        answer = ann.post("/api/tournaments", json={**_FRIDAY, **wrong})
        assert answer.status_code == 400, wrong
    assert guest.get("/api/tournaments/XXXXXX").json()["error"]["code"] == "no_game"
    assert guest.get("/t/XXXXXX").status_code == 404
    code = post(ann, "", **_FRIDAY)["code"]
    answer = ann.post(f"/api/tournaments/{code}/pause", json={})
    assert answer.json()["error"]["code"] == "not_a_member"
