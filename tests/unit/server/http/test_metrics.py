"""Operators can read the metrics of a running server; visitors cannot."""

from __future__ import annotations

import asyncio
import platform
import re
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

import sapper
from sapper.server import Networks, create_app, limits
from sapper.server.http.connections import HTTPConnection
from sapper.server.instruments import refusals
from sapper.server.storage.store import Store
from support.waiting import until

prometheus = pytest.importorskip("prometheus_client.parser")

ME = "b" * 24
SOURCES = sorted((Path(sapper.__file__).parent / "server").rglob("*.py"))
PAGE = (Path(__file__).parents[4] / "docs" / "http.md").read_text("utf-8")


def _read(site: Any) -> dict[str, float]:
    """Return all samples, by name and labels."""
    answer = httpx.get(f"{site.url}/metrics", trust_env=False, verify=False, timeout=300)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        sample.name
        + "".join(f" {value}" for _, value in sorted(sample.labels.items())): sample.value
        for family in prometheus.text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def _status(store: Store, client: str, readers: str = "127.0.0.1", **headers: str) -> int:
    """Return the status of a request from this address."""
    return _answer(store, client, readers, **headers).status_code


def _answer(
    store: Store, client: str, readers: str = "127.0.0.1", **headers: str
) -> httpx.Response:
    """Return the answer to a request from this address, without starting a server."""
    app = create_app(
        store, None, proxies=Networks(["10.0.0.1"]), metrics_readers=Networks([readers])
    )

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=(client, 1))
        async with (
            app.router.lifespan_context(app),
            httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as browser,
        ):
            return await browser.get("/metrics", headers=headers)

    return asyncio.run(ask())


def test_a_game_changes_its_figures(site: Any) -> None:
    """Moves, commits, jobs and windows are counted."""
    before = _read(site)
    assert before[f"sapper_build_info {platform.python_version()} {sapper.__version__}"] == 1
    assert before["process_resident_memory_bytes"] > 1e6
    with site.player(ME) as player:
        for col in range(3):
            player.send("mark", cell=[0, col])
        during = _read(site)
        assert during["sapper_windows"] == before["sapper_windows"] + 1
        assert during["sapper_games_in_memory"] == 1
        assert during["sapper_connections"] >= 2
        assert during["sapper_rooms"] == 0
        assert during["sapper_moves_total"] == before["sapper_moves_total"] + 3
        assert during["sapper_commit_seconds_count"] >= before["sapper_commit_seconds_count"] + 1
        assert during["sapper_commit_seconds_sum"] > 0
        # Moves under quick rule sets are not jobs.
        assert during["sapper_job_seconds_count moves"] >= 1
        queues = {name.split()[1] for name in during if name.startswith("sapper_jobs_waiting")}
        assert queues == set(re.findall(r"`(\w+)`", _row("sapper_jobs_waiting")))
    until(lambda: _read(site)["sapper_windows"] == before["sapper_windows"], "the window to close")
    assert _read(site)["sapper_save_queue_games"] == 0


def _row(name: str) -> str:
    [row] = re.findall(rf"^\| `{name}.*$", PAGE, re.M)
    return str(row).split("|", 2)[2]


def test_refusals_count_by_limit(site: Any, store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each limit has its own count."""
    before = refusals["windows"]
    monkeypatch.setattr(limits, "WINDOWS", 0)
    with site.player(ME) as refused:
        assert refused.welcome["error"]["code"] == "too_many"
    assert _read(site)["sapper_refusals_total windows"] == before + 1


def test_a_failed_commit_is_counted(tmp_path: Path, run: Callable[..., Any]) -> None:
    """Changes stay in the queue until they are saved."""
    folder = tmp_path / "state"
    with Store(folder) as store, run(store) as site, site.player(ME) as player:
        player.send("mark", cell=[0, 0])
        folder.rename(tmp_path / "elsewhere")
        player.send("mark", cell=[0, 1])
        found = _read(site)
        assert found["sapper_commit_failures_total"] >= 1
        assert found["sapper_save_queue_games"] == 1
        (tmp_path / "elsewhere").rename(folder)
        until(lambda: _read(site)["sapper_save_queue_games"] == 0, "the moves to be saved")


def test_only_this_machine_and_named_networks_may_read(store: Store) -> None:
    """Requests through a proxy are refused, even if the operator did not name the proxy."""
    assert _status(store, "127.0.0.1") == 200
    assert _status(store, "::1") == 200
    assert _status(store, "192.0.2.1") == 403
    assert _status(store, "192.0.2.1", "192.0.2.0/24") == 200
    forwarded = {"X-Forwarded-For": "192.0.2.1"}
    for peer in ("10.0.0.1", "127.0.0.1", "192.0.2.7"):
        assert _status(store, peer, "192.0.2.0/24", **forwarded) == 403
    assert _status(store, "127.0.0.1", "127.0.0.1", Via="1.1 proxy") == 403


def test_a_refusal_says_what_to_do(store: Store) -> None:
    """The message has the option with the address, or names the proxy as the reason."""
    told = _answer(store, "192.0.2.1").json()["error"]["message"]
    assert told == "192.0.2.1 may not read metrics; allow it with --metrics-from 192.0.2.1"
    through = _answer(store, "127.0.0.1", Via="1.1 proxy").json()["error"]["message"]
    assert through == "metrics cannot be read through a proxy; ask the server itself"


def test_a_page_of_another_site_cannot_read(run: Callable[..., Any], store: Store) -> None:
    """A server open to a network shows metrics only under this machine's own names."""
    with (
        run(store, None) as site,
        httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as client,
    ):
        other = client.get("/metrics", headers={"Host": "evil.example"})
        assert other.status_code == 403
        assert client.get("/metrics").status_code == 200


def test_every_limit_that_counts_refusals_is_documented() -> None:
    """The labels are part of the public interface."""
    source = "".join(path.read_text("utf-8") for path in SOURCES)
    counted = set(re.findall(r'(?:note_refusal\(|_drop,? ?\(?[^()]*, )"(\w+)"', source))
    counted |= set(re.findall(r'AddressRate\([^)]*"(\w+)"', source))
    counted |= {"connections", "connections_per_address"}
    documented = set(re.findall(r"`(\w+)`", _row("sapper_refusals_total")))
    assert len(counted) > 15
    assert documented - {"limit"} == counted


def test_every_metric_is_documented(site: Any) -> None:
    """Each name appears in the docs."""
    with httpx.Client(trust_env=False, verify=False, timeout=300) as client:
        text = client.get(f"{site.url}/metrics").text
    names = re.findall(r"^# TYPE (sapper_\w+)", text, re.M)
    assert len(names) >= 11
    assert [name for name in names if f"`{name}" not in PAGE] == []


def test_a_missing_library_is_named(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error gives the pip command that installs the library."""
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    answer = httpx.get(f"{site.url}/metrics", trust_env=False, verify=False, timeout=300)
    assert (answer.status_code, answer.json()["error"]["code"]) == (501, "missing_extra")
    assert "pip install '.[metrics]'" in answer.text


def test_a_dropped_connection_is_counted(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection above the limit is closed without an answer."""
    before = refusals["connections"]
    monkeypatch.setattr(HTTPConnection, "most", 0)
    dropped = socket.create_connection(("127.0.0.1", site.port), timeout=300)
    with dropped, suppress(ConnectionError):
        assert dropped.recv(1) == b""
    until(lambda: refusals["connections"] > before, "the count")
