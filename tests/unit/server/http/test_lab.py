"""The Lab page and its requests."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sapper import lab
from sapper.server import create_app


@pytest.fixture
def client(site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """A client for a server without runs."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    with httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as made:
        yield made


def test_run_is_listed_and_described(client: httpx.Client, tmp_path: Path) -> None:
    """The figures are those of the run, and the plotted lines end there."""
    assert client.get("/api/runs").json() == []
    made = lab.run("exact", "expert", first_click="safe", n=300, out=tmp_path / "run", seed=1)
    [run] = client.get("/api/runs").json()
    assert (run["bot"], run["state"], run["name"]) == ("exact", "done", "run")
    assert (run["games"], run["wins"]) == (300, made.summary["wins"])
    told = client.get(f"/api/runs/{run['id']}").json()
    history = told["history"]
    assert history["games"][-1] == 300
    assert history["rate"][-1] == pytest.approx(run["win_rate"])
    assert [history["low"][-1], history["high"][-1]] == pytest.approx(run["interval"])
    assert sum(row["games"] for row in told["guesses"]) == 300
    assert sum(row["wins"] for row in told["guesses"]) == run["wins"]
    assert sum(row["n"] for row in told["calibration"]) == run["guesses"]
    assert sum(row["mines"] for row in told["calibration"]) == run["lost"]


def test_run_without_games_is_described(client: httpx.Client, tmp_path: Path) -> None:
    """The page of a run without games has nothing to draw."""
    lab.run("exact", "beginner", n=0, out=tmp_path / "run", seed=1)
    [run] = client.get("/api/runs").json()
    told = client.get(f"/api/runs/{run['id']}").json()
    assert told["history"]["games"] == told["guesses"] == told["calibration"] == []


def test_missing_run_is_an_error(client: httpx.Client, tmp_path: Path) -> None:
    """The error has the usual shape; a damaged run is reported."""
    missing = client.get("/api/runs/nothing")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    lab.run("exact", "beginner", n=5, out=tmp_path / "run", seed=1)
    [run] = client.get("/api/runs").json()
    (tmp_path / "run" / "games" / "00000.parquet").write_bytes(b"no")
    damaged = client.get(f"/api/runs/{run['id']}")
    assert damaged.status_code == 409
    assert "damaged" in damaged.json()["error"]["message"]


@pytest.mark.parametrize(
    "status", ["3", "[]", "{", "\xff", '{"updated": NaN, "win_rate": Infinity}', '{"updated": "x"}']
)
def test_bad_status_does_not_affect_other_runs(
    client: httpx.Client, tmp_path: Path, status: str
) -> None:
    """All runs are listed; a status is shown if it can be read."""
    for name in ("good", "bad"):
        lab.run("exact", "beginner", n=5, out=tmp_path / name, seed=1)
    (tmp_path / "bad" / "status.json").write_text(status, "latin-1")
    found = {run["name"]: run for run in client.get("/api/runs").json()}
    assert set(found) == {"good", "bad"}
    assert found["good"]["games"] == 5
    assert found["bad"]["updated"] is None
    told = client.get(f"/api/runs/{found['bad']['id']}")
    # The figures are computed from the games.
    assert told.status_code == 200
    assert (told.json()["games"], told.json()["wins"]) == (5, found["good"]["wins"])
    assert "status.json" in told.json()["error"]


def test_runs_are_hidden_from_other_sites(store: Any) -> None:
    """A server that accepts any host name also refuses, because DNS can point any name to it."""
    refused = [("evil.example:8000", path) for path in ("/api/runs", "/api/runs/x", "/lab")]
    allowed = [
        *((host, "/api/runs") for host in ("192.168.1.2:8000", "[fe80::1]:8000", "localhost:8000")),
        ("games.example", "/"),
    ]

    async def statuses() -> list[int]:
        transport = httpx.ASGITransport(create_app(store, None))
        async with httpx.AsyncClient(transport=transport) as client:
            return [
                (await client.get(f"http://127.0.0.1{path}", headers={"Host": host})).status_code
                for host, path in refused + allowed
            ]

    assert asyncio.run(statuses()) == [403] * len(refused) + [200] * len(allowed)


def test_the_page_is_served(client: httpx.Client) -> None:
    """Every file that the page needs is served."""
    page = client.get("/lab")
    assert page.status_code == 200
    for path in re.findall(r'(?:src|href)="(/(?:static|assets)/[^"]+)"', page.text):
        assert client.get(path).status_code == 200, path
