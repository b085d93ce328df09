"""Replays over HTTP: playback with a review, and continuing a game."""

from __future__ import annotations

import asyncio
import http.client
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from sapper.replay import Playback, load, measure_play
from sapper.server import limits
from sapper.server.http.review import ReviewStream
from sapper.server.jobs.long_jobs import Who
from sapper.server.jobs.replays import opened

_SESSION = "p" * 24
_REPLAYS = Path(__file__).parents[3] / "data" / "replays"
_EXPERT = _REPLAYS / "expert.avf"
_LOST = json.dumps(
    {
        "format": "sapper-replay/1",
        "board": {"rows": ["1*21", "112*", "0011"]},
        "clicks": [[500, "open", 0, 2], [1500, "flag", 1, 0], [2500, "open", 3, 1]],
    }
).encode()


@contextmanager
def _posted(
    site: Any, body: bytes, path: str = "/api/replay", session: str = _SESSION
) -> Iterator[http.client.HTTPResponse]:
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    cookie = {"Cookie": f"sapper={site.ids.sign(session)}"} if session else {}
    try:
        connection.request("POST", path, body=body, headers=cookie)
        yield connection.getresponse()
    finally:
        connection.close()


def _lines(site: Any, body: bytes) -> list[dict[str, Any]]:
    with _posted(site, body) as response:
        assert response.status == 200, response.read()
        return [json.loads(line) for line in response.read().splitlines()]


def _refused(site: Any, body: bytes, path: str = "/api/replay") -> tuple[int, str, str]:
    with _posted(site, body, path) as response:
        error = json.loads(response.read())["error"]
        return response.status, error["code"], error["message"]


def _cells(replay: dict[str, Any], steps: int) -> str:
    """Return the player's view after some steps, as the page draws it."""
    cells = ["."] * (replay["width"] * replay["height"])
    for step in replay["steps"][:steps]:
        for index, number in zip(step["opened"], step["numbers"], strict=True):
            cells[index] = number
        for index in step["exploded"]:
            cells[index] = "*"
        if step["changed"] and not step["decisions"]:
            cells[step["cell"]] = "F" if step["flagged"] else "."
    return "".join(cells)


def test_foreign_replay_has_a_review(site: Any) -> None:
    """The answer for an Arbiter game contains positions, running counts, metrics and verdicts."""
    played = Playback(load(_EXPERT))
    replay, game, *rest, done = _lines(site, _EXPERT.read_bytes())
    assert (replay["type"], game["type"], done["type"]) == ("replay", "game", "done")
    assert (replay["format"], replay["width"], replay["height"]) == ("avf", 30, 16)
    assert len(replay["steps"]) == len(played.steps)
    for steps in (1, len(played.steps) // 2, len(played.steps)):
        assert _cells(replay, steps) == "".join(played.position_after(steps).rows)
    metrics, last = json.loads(json.dumps(measure_play(played).to_json())), replay["steps"][-1]
    assert replay["metrics"] == metrics
    assert last["clicks"] == [
        *(metrics["clicks"][name] for name in ("left", "right", "double")),
        metrics["clicks"]["effective"],
    ]
    assert last["path_px"] == pytest.approx(metrics["path_px"], abs=0.1)
    assert replay["events"]["ms"] == sorted(replay["events"]["ms"])
    assert sum(replay["dwell_ms"]) <= played.time_ms
    count = sum(step["decisions"] for step in replay["steps"])
    assert {d["index"] for line in rest for d in line["decisions"]} == set(range(count))
    assert len(game["moves"]) == count


def test_a_long_file_is_read_in_a_process(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is the same as for a short file."""
    monkeypatch.setattr(limits, "REPLAY_BYTES_AT_ONCE", 10)
    replay, *_, done = _lines(site, _LOST)
    assert (replay["type"], replay["format"]) == ("replay", "json")
    assert done["status"] == "lost"


def test_a_replay_without_a_click_has_no_review(site: Any) -> None:
    """Without a click, only the board can be viewed."""
    body = b'{"format": "sapper-replay/1", "board": {"rows": ["1*1"]}, "clicks": []}'
    (replay,) = _lines(site, body)
    assert replay["steps"] == []


@pytest.mark.parametrize(
    ("body", "status", "code", "said"),
    [
        (b"", 400, "bad_replay", "the file is empty"),
        (b"no replay", 400, "bad_replay", "not a replay of a known format"),
        (_EXPERT.read_bytes()[:200], 400, "bad_replay", "this AVF file cannot be read: "),
        (bytes(limits.FILE_BYTES + 1), 413, "too_large", "at most"),
    ],
)
def test_other_data_is_rejected(site: Any, body: bytes, status: int, code: str, said: str) -> None:
    """A single clear error is sent before anything is streamed."""
    found = _refused(site, body)
    assert found[:2] == (status, code)
    assert said in found[2]


@pytest.mark.slow
def test_too_large_replay_is_rejected(site: Any) -> None:
    """The number of cells and the number of events are limited."""
    rows = ["*1" + "0" * 148, "11" + "0" * 148, *["0" * 150] * 98]
    large = {"format": "sapper-replay/1", "board": {"rows": rows}, "clicks": []}
    body = json.dumps(large).encode()
    assert _refused(site, body)[2] == (
        "a replay has at most 10,000 cells in the browser, this one 15,000"
    )
    clicks = [[at, "flag", 0, 0] for at in range(limits.REPLAY_EVENTS + 1)]
    many = {"format": "sapper-replay/1", "board": {"rows": ["1*1"]}, "clicks": clicks}
    assert "at most 200,000 events" in _refused(site, json.dumps(many).encode())[2]


def test_game_continues_from_a_replay(site: Any) -> None:
    """All windows get the replay's position and mines, and the game counts as helped."""
    with site.player(_SESSION) as player:
        with _posted(site, _LOST, "/api/replay/take-over?steps=2") as response:
            assert (response.status, json.loads(response.read())) == (200, {"steps": 2})
        told = player.until("state")["game"]
        assert told["rows"] == [".F..", "112.", "001."]
        assert (told["status"], told["helped"]) == ("playing", "replay")
        assert told["clock"]["seconds"] == 1.0
        assert player.send("open", cell=[1, 3])["status"] == "lost"
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    connection.request(
        "GET", "/api/history/games", headers={"Cookie": f"sapper={site.ids.sign(_SESSION)}"}
    )
    games = json.loads(connection.getresponse().read())["games"]
    connection.close()
    assert [(game["won"], game["helped"]) for game in games] == [(False, "replay")]


def test_new_browser_gets_a_session_with_the_game(site: Any) -> None:
    """A visitor may arrive at the replay page first."""
    with _posted(site, _LOST, "/api/replay/take-over?steps=1", session="") as response:
        assert response.status == 200
        assert "sapper=" in response.headers["set-cookie"]


@pytest.mark.parametrize(("steps", "code"), [("x", "bad_message"), ("3", "bad_setting")])
def test_missing_moment_is_rejected(site: Any, steps: str, code: str) -> None:
    """A game can only be continued from a numbered moment before its end."""
    assert _refused(site, _LOST, f"/api/replay/take-over?steps={steps}")[:2] == (400, code)


def test_finished_game_is_available_as_a_replay(site: Any) -> None:
    """A finished game includes every click and can be replayed; a running game stays secret."""

    def post_replay(session: str) -> tuple[int, dict[str, Any], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
        try:
            connection.request(
                "GET", "/api/replay", headers={"Cookie": f"sapper={site.ids.sign(session)}"}
            )
            response = connection.getresponse()
            body = response.read()
            return response.status, json.loads(body), body
        finally:
            connection.close()

    with site.player(_SESSION) as player:
        settings = {"level": "beginner", "rules": "classic"}
        player.send("new", settings=settings, seed=36)
        player.send("open", cell=[4, 4])
        assert post_replay(_SESSION)[1]["error"]["code"] == "still_running"
        cells = ((row, col) for row in range(9) for col in range(9))
        while player.send("open", cell=list(next(cells)))["status"] != "lost":
            pass
        status, found, body = post_replay(_SESSION)
        assert (status, found["format"]) == (200, "sapper-replay/1")
        assert found["info"]["started_at"].startswith("20")
        replay, *_ = _lines(site, body)
        assert replay["steps"][-1]["exploded"]


def _formats(site: Any, body: bytes) -> dict[str, dict[str, Any]]:
    with _posted(site, body, "/api/replay/formats") as response:
        assert response.status == 200
        return {each["format"]: each for each in json.loads(response.read())["formats"]}


@pytest.mark.slow
def test_a_replay_is_downloaded_in_each_format(site: Any) -> None:
    """Each format has a name, a list of losses, and a file that plays the same."""
    body = _EXPERT.read_bytes()
    found = _formats(site, body)
    assert list(found) == ["json", "rawvf", "evf"]
    assert found["json"]["changed"] == []
    for form, told in found.items():
        assert told["problem"] is None
        assert told["name"].endswith(f"s.{form}")
        with _posted(site, body, f"/api/replay/convert?format={form}") as response:
            assert response.headers["content-disposition"] == (
                f'attachment; filename="{told["name"]}"'
            )
            written = response.read()
        replay, *_ = _lines(site, written)
        assert replay["format"] == form
        assert replay["metrics"] == _lines(site, body)[0]["metrics"]


def test_unsupported_format_has_a_reason(site: Any) -> None:
    """The reason is in the list of formats and in the error when downloading."""
    torus = {"topology": "torus", "rows": ["111", "1*1", "111", "000"]}
    given = {"format": "sapper-replay/1", "board": torus, "clicks": [[0, "open", 0, 0]]}
    body = json.dumps(given).encode()
    found = _formats(site, body)
    assert found["json"]["problem"] is None
    assert found["rawvf"]["problem"] == "RawVF text needs a rectangular board"
    convert = "/api/replay/convert?format="
    assert _refused(site, body, f"{convert}rawvf") == (
        400, "bad_replay", "RawVF text needs a rectangular board"
    )  # fmt: skip
    assert _refused(site, body, f"{convert}avf")[:2] == (400, "bad_setting")
    assert _refused(site, b"no replay", "/api/replay/formats")[:2] == (400, "bad_replay")


class _FirstLinesOnly:
    """A pool that runs short jobs directly and never finishes long ones."""

    async def quick(self, who: Who, work: Callable[[], str]) -> str:
        """Run the job directly."""
        return work()

    async def long(self, *_: object) -> str:
        """Never end."""
        never: str = await asyncio.get_running_loop().create_future()
        return never


def test_simultaneous_reviews_are_limited() -> None:
    """Sending many files at once gets no more reviews than sending them one by one."""

    async def scenario() -> None:
        stream = ReviewStream(_FirstLinesOnly())  # type: ignore[arg-type]
        told = opened(_LOST)[1]
        for _ in range(limits.REVIEWS_PER_SESSION + 1):
            stream.check_room("me")
        streams = [
            stream.lines(Who("me", None), told) for _ in range(limits.REVIEWS_PER_SESSION + 1)
        ]
        first = [json.loads((await anext(lines)).splitlines()[0]) for lines in streams]
        assert [line.get("type", "error") for line in first] == ["game", "game", "error"]
        assert first[-1]["error"]["code"] == "busy"
        for lines in streams:
            await lines.aclose()
        stream.check_room("me")

    asyncio.run(scenario())
