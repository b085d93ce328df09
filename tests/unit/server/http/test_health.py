"""Health checks report whether the server is running and can save games."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from sapper.server import limits
from sapper.server.app import create_app
from sapper.server.http import health
from sapper.server.storage.store import Store


@pytest.fixture(autouse=True)
def always_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probe on every request instead of repeating the last result."""
    monkeypatch.setattr(health, "_FRESH_S", -1.0)


def _get(url: str, path: str = "/readyz", **headers: str) -> tuple[int, Any]:
    answer = httpx.get(f"{url}{path}", headers=headers, trust_env=False, verify=False, timeout=300)
    return answer.status_code, answer.json()


def test_a_server_that_can_save_is_ready_under_any_name(site: Any) -> None:
    """Load balancers use an IP address; all other paths check the host name."""
    for path in ("/healthz", "/readyz"):
        assert _get(site.url, path, Host="10.0.0.1:8000") == (200, {"status": "ok"})
    assert _get(site.url, "/api/menu", Host="10.0.0.1:8000")[0] == 403
    assert (
        httpx.post(f"{site.url}/readyz", trust_env=False, verify=False, timeout=300).status_code
        == 405
    )


def test_a_server_whose_file_is_gone_is_alive_but_not_ready(
    tmp_path: Path, run: Callable[..., Any]
) -> None:
    """The server is ready again when the folder is back; its answer names no file."""
    folder = tmp_path / "state"
    with Store(folder) as store, run(store) as site:
        assert _get(site.url)[0] == 200
        folder.rename(tmp_path / "elsewhere")
        status, found = _get(site.url)
        assert (status, found["error"]["code"]) == (503, "store_failed")
        assert str(tmp_path) not in found["error"]["message"]
        assert _get(site.url, "/healthz")[0] == 200
        (tmp_path / "elsewhere").rename(folder)
        assert _get(site.url)[0] == 200


def test_a_server_that_never_had_its_file_is_not_ready(run: Callable[..., Any]) -> None:
    """The answer says that games are lost when the server stops."""
    with Store(None, "the saved games file cannot be used") as store, run(store) as site:
        status, found = _get(site.url)
    assert (status, found["error"]["code"]) == (503, "in_memory")
    with Store(None) as store, run(store) as site:
        assert _get(site.url)[0] == 200


def test_reason_is_the_one_shown_to_players(
    site: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says that the disk is full, as the page does."""

    def fail() -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(store, "probe", fail)
    status, found = _get(site.url)
    assert (status, found["error"]) == (503, {"code": "store_failed", "message": "disk full"})


def test_a_slow_write_is_reported_and_not_repeated(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests during a write wait for it instead of taking up more threads."""
    gate, writes = threading.Event(), []

    def write() -> None:
        writes.append(1)
        gate.wait()

    monkeypatch.setattr(store, "probe", write)
    monkeypatch.setattr(limits, "JOB_BUDGET_S", 0.01)

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(create_app(store))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            slow = await asyncio.gather(*(client.get("/readyz") for _ in range(3)))
            gate.set()
            monkeypatch.setattr(limits, "JOB_BUDGET_S", 600.0)
            return [*slow, await client.get("/readyz")]

    *slow, last = asyncio.run(ask())
    assert {answer.status_code for answer in slow} == {503}
    assert {answer.json()["error"]["code"] for answer in slow} == {"too_slow"}
    assert last.status_code == 200
    assert len(writes) <= 2


def test_results_are_repeated_for_a_moment(
    site: Any, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server limits how often it writes, however many requests arrive."""
    writes: list[int] = []
    monkeypatch.setattr(health, "_FRESH_S", 600.0)
    monkeypatch.setattr(store, "probe", lambda: writes.append(1))
    for _ in range(5):
        assert _get(site.url)[0] == 200
    assert len(writes) == 1
