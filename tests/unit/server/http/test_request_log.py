"""Requests have ids, and the lines in the log reveal nothing about the visitor."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sapper.server import Networks
from sapper.server.logs import JsonFormatter, request_id
from sapper.server.storage.store import Store
from support.program import PROGRAM, sapper
from support.waiting import until

ME = "c" * 24


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """Return the log lines about requests so far."""
    formatter = JsonFormatter()
    name = "sapper.server.http.request_log"
    with caplog.at_level(logging.INFO, name):
        yield lambda: [
            json.loads(formatter.format(record)) for record in caplog.records if record.name == name
        ]


def _get(site: Any, path: str, **headers: str) -> httpx.Response:
    return httpx.get(
        f"{site.url}{path}", headers=headers, trust_env=False, verify=False, timeout=300
    )


def test_request_is_logged_with_its_path_template(
    site: Any, lines: Callable[[], list[dict[str, Any]]]
) -> None:
    """Values in the path, queries, cookies and addresses are not logged."""
    cookie = site.ids.sign(ME)
    for path in (
        "/api/runs/secret-run?query=secret",
        "/static/css/secret.css",
        "/secret-page",
        "/api/history/games/secret-game",
        "/?secret",
    ):
        _get(site, path, Cookie=f"sapper={cookie}")
    until(lambda: len(lines()) == 5, "the last line")
    found = lines()
    assert [(line["path"], line["status"]) for line in found] == [
        ("/api/runs/{name}", 404),
        ("/static/{path}", 404),
        (None, 404),
        (next(line["path"] for line in found if "games/{" in str(line["path"])), 404),
        ("/", 200),
    ]
    assert {line["method"] for line in found} == {"GET"}
    assert {line["event"] for line in found} == {"request"}
    assert all(0 < line["duration_s"] < 300 for line in found)
    text = json.dumps(found)
    assert not [word for word in ("secret", "127.0.0.1", cookie[:24]) if word in text]


def test_refused_request_is_logged(site: Any, lines: Callable[[], list[dict[str, Any]]]) -> None:
    """Requests for other hosts are also logged."""
    assert _get(site, "/api/menu", Host="evil.example").status_code == 403
    until(lambda: bool(lines()), "the line")
    [line] = lines()
    assert (line["path"], line["status"]) == (None, 403)


def test_closed_window_is_logged(site: Any, lines: Callable[[], list[dict[str, Any]]]) -> None:
    """The logged status is the one that upgraded the connection."""
    with site.player(ME) as player:
        player.send("mark", cell=[0, 0])
        assert lines() == []
    until(lambda: bool(lines()), "the line")
    [line] = lines()
    assert (line["event"], line["path"], line["status"]) == ("websocket", "/ws", 101)


@pytest.mark.parametrize("given", ["abc-123", "A.b_c", "x" * 64])
def test_given_request_id_is_used(
    site: Any, lines: Callable[[], list[dict[str, Any]]], given: str
) -> None:
    """A proxy may already have given the request an id."""
    assert _get(site, "/healthz", **{"X-Request-Id": given}).headers["x-request-id"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, 'a"b', "a b", "ü".encode().decode("latin-1")])
def test_an_unusual_id_is_replaced(site: Any, given: str) -> None:
    """If ids were repeated unchecked, visitors could write into the log."""
    answer = httpx.get(
        f"{site.url}/healthz",
        headers=[(b"X-Request-Id", given.encode("latin-1"))],
        trust_env=False,
        verify=False,
        timeout=300,
    )
    assert len(answer.headers["x-request-id"]) == 32


def test_addresses_are_logged_on_request(
    store: Store, run: Callable[..., Any], lines: Callable[[], list[dict[str, Any]]]
) -> None:
    """The log records visitors' addresses, not a trusted proxy's."""
    with run(store, proxies=Networks(["127.0.0.1"]), log_addresses=True) as site:
        _get(site, "/healthz", **{"X-Forwarded-For": "203.0.113.9"})
    assert [line["address"] for line in lines()] == ["203.0.113.9"]


def test_log_line_is_one_json_object() -> None:
    """Each record is one line, whatever characters it contains, and errors include a traceback."""
    try:
        raise ValueError("a\nb")
    except ValueError as problem:
        error = (ValueError, problem, problem.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "", 1, "a\n%s", ("\ud800\u2028",), error)
    token = request_id.set("me")
    try:
        text = JsonFormatter().format(record)
    finally:
        request_id.reset(token)
    assert text.isascii()
    assert "\n" not in text
    line = json.loads(text)
    assert line["time"].endswith("Z")
    assert (line["level"], line["request_id"], line["event"]) == ("error", "me", "a\n\ud800\u2028")
    assert "ValueError: a\nb" in line["error"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_program_writes_only_json(tmp_path: Path, number: signal.Signals) -> None:
    """All output is JSON, from startup to shutdown, including messages from libraries."""
    with subprocess.Popen(
        [PROGRAM, "play", "--no-browser", "--port", "0", "--log-format", "json"],
        env={**os.environ, "SAPPER_HOME": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stderr is not None
        lines = [json.loads(server.stderr.readline())]
        port = int(lines[0]["url"].rstrip("/").rpartition(":")[2])
        address = f"http://127.0.0.1:{port}/healthz"
        assert httpx.get(address, trust_env=False, verify=False, timeout=300).status_code == 200
        lines.append(json.loads(server.stderr.readline()))
        # uvicorn logs that the request is not HTTP.
        with socket.create_connection(("127.0.0.1", port)) as invalid:
            invalid.sendall(b"not HTTP\r\n\r\n")
            assert invalid.recv(99).startswith(b"HTTP/1.1 400")
        server.send_signal(number)
        out, err = server.communicate()
        lines += [json.loads(line) for line in err.splitlines()]
    assert (server.returncode, out) == (0, "")
    assert lines[1]["path"] == "/healthz"
    assert lines[-1]["event"] == "Stopped. Running games are saved."


def test_addresses_need_the_json_log() -> None:
    """The plain log contains no lines about requests."""
    result = sapper("play", "--no-browser", "--log-addresses")
    assert result.code == 2
    assert "--log-addresses needs --log-format json" in result.err
