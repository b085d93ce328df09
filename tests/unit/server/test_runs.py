"""The lab's page and what it asks for."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sapper import lab


@pytest.fixture
def client(site: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[httpx.Client]:
    """To a server of a machine without runs."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    with httpx.Client(base_url=site.url, trust_env=False) as made:
        yield made


def test_a_run_is_listed_and_told(client: httpx.Client, tmp_path: Path) -> None:
    """Its figures are those of the run, and the lines of its plots end at them."""
    assert client.get("/api/runs").json() == []
    made = lab.run("exact", "expert", first_click="safe", n=300, out=tmp_path / "run")
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


def test_a_run_without_games_is_told(client: httpx.Client, tmp_path: Path) -> None:
    """There is nothing to draw."""
    lab.run("exact", "beginner", n=0, out=tmp_path / "run")
    [run] = client.get("/api/runs").json()
    told = client.get(f"/api/runs/{run['id']}").json()
    assert told["history"]["games"] == told["guesses"] == told["calibration"] == []


def test_what_is_not_there_is_an_error(client: httpx.Client, tmp_path: Path) -> None:
    """In the one shape of errors; a damaged run says so."""
    missing = client.get("/api/runs/nothing")
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "not_found")
    lab.run("exact", "beginner", n=5, out=tmp_path / "run")
    [run] = client.get("/api/runs").json()
    (tmp_path / "run" / "games" / "00000.parquet").write_bytes(b"no")
    damaged = client.get(f"/api/runs/{run['id']}")
    assert damaged.status_code == 409
    assert "damaged" in damaged.json()["error"]["message"]


def test_the_page_is_served(client: httpx.Client) -> None:
    """With all that it names."""
    page = client.get("/lab")
    assert page.status_code == 200
    for path in re.findall(r'(?:src|href)="(/static/[^"]+)"', page.text):
        assert client.get(path).status_code == 200, path
