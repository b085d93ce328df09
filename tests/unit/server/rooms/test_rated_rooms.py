"""Rated rooms over HTTP: their fixed rules, and the people who may play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

from websockets.sync.client import connect

from sapper.community import Race, RaceSettings, load_room
from sapper.community.race_settings import RATED
from support.account_requests import claim
from support.authenticators import SoftAuthenticator

RATED_RACE = {"kind": "race", "settings": {"level": "beginner", "rated": True}}
TIMES = {"silence_ms": 1_000, "limit_ms": 1_000, "countdown_ms": 0, "freeze_ms": 0, "late_ms": 0}


@pytest.fixture
def browsers(site: Any) -> Iterator[list[httpx.Client]]:
    """The browsers of Ann and a guest."""
    url = f"http://localhost:{site.port}"
    made = [
        httpx.Client(base_url=url, trust_env=False, verify=False, timeout=300) for _ in range(2)
    ]
    for client in made:
        client.get("/")
    claim(made[0], SoftAuthenticator(1), "Ann")
    yield made
    for client in made:
        client.close()


def refusal(client: httpx.Client, body: dict[str, Any]) -> str:
    """Return why a room is refused."""
    answer = client.post("/api/rooms", json=body).json()
    assert answer["error"]["code"] == "bad_setting"
    return str(answer["error"]["message"])


@pytest.mark.parametrize("name", TIMES)
def test_a_host_cannot_set_the_times_of_a_rated_race(
    browsers: list[httpx.Client], name: str
) -> None:
    """Short times would make one opened cell a win after a second."""
    ann, _ = browsers
    settings = {**RATED_RACE["settings"], name: TIMES[name]}
    assert f"fixed {name} {RATED[name]}" in refusal(ann, {"kind": "race", "settings": settings})
    settings["rated"] = False
    assert "code" in ann.post("/api/rooms", json={"kind": "race", "settings": settings}).json()


@pytest.mark.parametrize("settings", [{"turn_ms": 1_000}, {"missed": 1}])
def test_a_host_cannot_set_the_times_of_rated_flags(
    browsers: list[httpx.Client], settings: dict[str, Any]
) -> None:
    """A turn of a second would be lost by everyone who is surprised by it."""
    body = {"kind": "flags", "settings": {"rated": True, **settings}}
    assert "rated games have the fixed" in refusal(browsers[0], body)


def test_rated_races_have_few_rule_sets(browsers: list[httpx.Client]) -> None:
    """Otherwise there would be a list for each of the others."""
    settings = {**RATED_RACE["settings"], "rules": "windows-xp"}
    assert "no-guess or classic" in refusal(browsers[0], {"kind": "race", "settings": settings})


def test_guests_only_watch_rated_races(browsers: list[httpx.Client]) -> None:
    """One person could see the same mines in a second browser."""
    ann, guest = browsers
    assert "with a name" in refusal(guest, RATED_RACE)
    code = ann.post("/api/rooms", json=RATED_RACE).json()["code"]
    url = f"ws://localhost:{ann.base_url.port}/ws/rooms/{code}"
    cookies = "; ".join(f"{one.name}={one.value}" for one in guest.cookies.jar)
    patient: Any = {"open_timeout": 300, "close_timeout": 300}
    with connect(url, additional_headers={"Cookie": cookies}, proxy=None, **patient) as window:
        shown = window.recv()
        assert '"rated":true' in shown
        assert f'"silence_ms":{RATED["silence_ms"]}' in shown
        window.send('{"type": "join"}')
        assert "for players with a name" in window.recv()
        window.send('{"type": "join", "watch": true}')
        assert '"you":1' in window.recv()
        window.recv()
        window.send('{"type": "take_part"}')
        assert "for players with a name" in window.recv()


def test_a_saved_race_with_other_times_continues_unrated() -> None:
    """Earlier versions allowed them."""
    saved = Race(RaceSettings("beginner", rated=True), 7).to_json()
    saved["settings"]["silence_ms"] = 1_000
    room = load_room(saved)
    assert isinstance(room, Race)
    assert (room.settings.rated, room.settings.silence_ms) == (False, 1_000)
    del saved["settings"]["silence_ms"]
    again = load_room(saved)
    assert isinstance(again, Race)
    assert again.settings.rated
