"""Hidden cells stay secret until the game is over, whatever is requested.

Two browsers play games that differ only in their mines, and undo their moves. From then on, the
server must give both the same answers: a difference would reveal something about the mines.

The tables here and in `support.requests` list every message and every URL, so new ones must be
added.
"""

from __future__ import annotations

import http.client
import json
import re
from typing import Any

import pytest
from starlette.routing import Mount, Route, WebSocketRoute

from sapper.dealer import RULES
from sapper.server import create_app
from sapper.server.messages.incoming import INCOMING
from sapper.server.storage.store import Store
from support.marks import sampled
from support.requests import REQUESTS

_PAIR = "a" * 24, "b" * 24
_SEEDS = 1_234_567_890_123, 9_876_543_210_987
_LEVEL = "9x9:10"
_POSITION = {"rows": ["..", "11"], "mines": 1}

_REFUSED = {
    ("GET", "/api/review"): "still_running",
    ("GET", "/api/replay"): "still_running",
    ("POST", "/api/review/mistake"): "still_running",
    ("GET", "/api/review?day=2026-11-22"): "no_game",
    ("GET", "/api/review?game=1"): "no_game",
    ("GET", "/api/history/games/1"): "no_game",
    ("POST", "/api/move/arrive"): "bad_challenge",
}
"""Requests that must be rejected, with their errors."""

_SAID: dict[str, list[dict[str, Any]]] = {
    "sync": [{}],
    "hint": [{}],
    "analyze": [{}],
    "assist": [
        {"mode": "assisted", "overlay": "chances"},
        {"mode": "assisted", "overlay": "safe"},
        {"mode": "solo", "overlay": "none"},
    ],
    "settings": [{"questions": True}, {"settings": {"level": _LEVEL}}],
    "thinking": [{"here": True}, {"here": False}],
    "guesses": [{}],
    "drawn": [{"turn": 0}],
    "automatic": [{"run": False}],
    "again": [{}],
    "undo": [{}],
    "chord": [{"cell": [4, 4]}],
    "mark": [{"cell": [0, 0]}, {"cell": [0, 0]}],
    # These messages start other games, which are not compared.
    "daily": [{}, {"day": "2026-11-20"}],
    "position": [{"position": _POSITION}],
    "new": [{"settings": {"level": _LEVEL}}],
}
"""Messages of each kind, in this order."""

_UNANSWERED = {"automatic", "drawn", "guesses", "thinking"}
"""Messages that have no answer of their own."""

_OPENS = {"open": "it is how a cell is uncovered"}
"""Kinds of messages that may reveal something about unopened cells."""


def test_every_address_and_message_is_tested() -> None:
    """A new URL or message fails this test until it is in the tables."""
    with Store(None) as store:
        routes = create_app(store).routes
    found: set[tuple[str, str]] = set()
    others = []
    for route in routes:
        if isinstance(route, Route):
            found |= {(method, route.path) for method in (route.methods or set()) - {"HEAD"}}
        else:
            others.append(route)
    assert found == set(REQUESTS)
    # Messages to games are in the second table. Rooms have their own test, `test_frames.py`, and
    # the rest are static files.
    assert [(type(route), route.path) for route in others] == [  # type: ignore[attr-defined]
        (WebSocketRoute, "/ws/rooms/{code}"),
        (WebSocketRoute, "/ws"),
        (Mount, "/static"),
    ]
    assert {*_SAID, *_OPENS} == INCOMING.keys()


class _Half:
    """One of the two browsers; everything that identifies its game is replaced."""

    def __init__(self, site: Any, at: int) -> None:
        self._site, self.seed = site, _SEEDS[at]
        self.me, self.other = _PAIR[at], _PAIR[1 - at]
        self.key = ""

    def _filled(self, text: str) -> str:
        for name in ("key", "me", "other"):
            text = text.replace(f"{{{name}}}", getattr(self, name))
        return text

    def _masked(self, text: str) -> str:
        assert str(self.seed) not in text
        for name, value in (("me", self.me), ("other", self.other), ("key", self.key)):
            if value:
                text = text.replace(value, f"<{name}>")
        return text

    def ask(self, method: str, path: str, body: object) -> tuple[int, str]:
        """Return the status and the text of an answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self._site.port, timeout=300)
        text = body if isinstance(body, str) else None if body is None else json.dumps(body)
        cookie = {"Cookie": f"sapper={self._site.ids.sign(self.me)}"}
        try:
            given = None if text is None else self._filled(text)
            connection.request(method, self._filled(path), given, cookie)
            response = connection.getresponse()
            return response.status, self._masked(response.read().decode(errors="replace"))
        finally:
            connection.close()

    def say(self, player: Any, kind: str, fields: dict[str, Any]) -> str:
        """Return all messages up to the answer, without clocks and keys."""
        player.frames.clear()
        if kind in _UNANSWERED:
            player.raw(json.dumps({"type": kind, **fields}))
            player.send("sync")
        else:
            player.send(kind, **fields)
        told = [json.loads(frame) for frame in player.frames]
        return self._masked(json.dumps([_timeless(one) for one in told], sort_keys=True))


def _timeless(told: Any) -> Any:
    if isinstance(told, dict):
        left_out = {"clock", "key", "seconds", "re"}
        return {name: _timeless(value) for name, value in told.items() if name not in left_out}
    return [_timeless(one) for one in told] if isinstance(told, list) else told


def _taken_back(player: Any, half: _Half, rules: str) -> None:
    """Play moves in a game with this browser's seed, then undo them."""
    player.send("new", settings={"level": _LEVEL, "rules": rules}, seed=half.seed)
    half.key = player.send("sync")["game"]["key"]
    told = player.send("open", cell=[4, 4])
    shown = "".join(str(cell) for cell in told["cells"])
    assert told["status"] == "playing"
    assert shown
    player.send("undo")
    told = player.send("sync")["game"]
    assert (told["status"], told["actions"]) == ("ready", 2)
    assert set("".join(told["rows"])) == {"."}


def _without_values(answer: tuple[int, str]) -> tuple[int, str]:
    """Remove the metric values, because the server's totals keep changing."""
    return answer[0], re.sub(r" \S+$", "", answer[1], flags=re.M)


@pytest.mark.parametrize("rules", sampled(RULES, 4))
def test_addresses_reveal_nothing_about_running_games(site: Any, rules: str) -> None:
    """Games that are "ready" again after an undo reveal nothing either."""
    halves = _Half(site, 0), _Half(site, 1)
    with site.player(halves[0].me) as first, site.player(halves[1].me) as second:
        for half, player in zip(halves, (first, second), strict=True):
            _taken_back(player, half, rules)
        refused = set()
        for (method, _), requests in REQUESTS.items():
            for path, body in requests:
                one, two = (half.ask(method, path, body) for half in halves)
                if path == "/metrics":
                    one, two = (_without_values(answer) for answer in (one, two))
                if path == "/api/move":
                    # Signatures differ.
                    one, two = ((answer[0], answer[1].partition(".")[2]) for answer in (one, two))
                assert one == two, path
                if (method, path) in _REFUSED:
                    assert json.loads(one[1])["error"]["code"] == _REFUSED[method, path]
                    refused.add((method, path))
        assert refused == set(_REFUSED)


@pytest.mark.parametrize("rules", sampled(RULES, 4))
def test_messages_reveal_nothing_about_running_games(site: Any, rules: str) -> None:
    """The first message to a new window and all later answers are compared."""
    halves = _Half(site, 0), _Half(site, 1)
    with site.player(halves[0].me) as first, site.player(halves[1].me) as second:
        players = first, second
        for half, player in zip(halves, players, strict=True):
            _taken_back(player, half, rules)
        welcomes = []
        for half in halves:
            with site.player(half.me) as window:
                welcomes.append(_timeless(window.welcome))
        assert welcomes[0] == welcomes[1]
        for kind, messages in _SAID.items():
            for fields in messages:
                one, two = (
                    half.say(player, kind, fields)
                    for half, player in zip(halves, players, strict=True)
                )
                assert one == two, kind
