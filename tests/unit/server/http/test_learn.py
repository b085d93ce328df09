"""Puzzles and lessons over HTTP: checked by the server, and saved before the answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from sapper.coach.trainer import Answer, Question, judge, lessons, puzzles
from sapper.server.storage.store import Store


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run these tests on both database engines."""
    return any_store


@pytest.fixture
def client(site: Any) -> Iterator[httpx.Client]:
    """A browser with a new session."""
    with httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as made:
        yield made


def solution(puzzle_id: str) -> dict[str, Any]:
    """Return the correct answer as the body of a request."""
    puzzle = puzzles()[puzzle_id]
    found = judge(puzzle.question, puzzle.position, Answer())
    safe = found.safe if puzzle.question is Question.ALL else found.safe[:1]
    return {"puzzle": puzzle_id, "safe": safe, "mined": found.mined}


def test_first_visit_starts_a_session(client: httpx.Client) -> None:
    """The first request sets the cookie, and the rating belongs to that session."""
    found = client.get("/api/learn").json()
    assert client.cookies["sapper"]
    assert found["standing"]["answered"] == 0
    assert [lesson["id"] for lesson in found["lessons"]] == [one.id for one in lessons()]
    assert found["done"] == []


def test_a_puzzle_is_solved(client: httpx.Client) -> None:
    """The answer contains the safe cells, the proof and the new rating."""
    served = client.post("/api/learn/puzzle", json={}).json()
    found = client.post("/api/learn/answer", json=solution(served["id"])).json()
    assert found["solved"]
    assert found["counted"]
    assert found["need"] == "one"
    assert found["change"] > 0
    assert found["standing"]["rating"] == 1000 + found["change"]
    [told] = found["explanations"]
    assert told["text"].startswith("Row ")
    assert "(" not in told["steps"][0]["text"]
    assert client.get("/api/learn").json()["standing"] == found["standing"]


def test_solved_lesson_boards_are_stored(client: httpx.Client) -> None:
    """Boards that are not solved are not stored."""
    board = lessons()[0].boards[0]
    wrong = client.post("/api/learn/lesson", json={"board": board.id}).json()
    assert not wrong["solved"]
    assert client.get("/api/learn").json()["done"] == []
    body = {"board": board.id, "safe": [list(min(board.safe))]}
    assert client.post("/api/learn/lesson", json=body).json()["solved"]
    assert client.get("/api/learn").json()["done"] == [board.id]


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("puzzle", {"focus": "luck"}, "bad_setting"),
        ("puzzle", {"focus": 3}, "bad_message"),
        ("puzzle", {"timed": 1}, "bad_message"),
        ("answer", {}, "bad_message"),
        ("answer", {"puzzle": "x"}, "bad_puzzle"),
        ("lesson", {"board": "x"}, "bad_puzzle"),
        ("lesson", {"board": "one-one-1", "safe": [[0]]}, "bad_message"),
        ("lesson", {"board": "one-one-1", "safe": [[True, 0]]}, "bad_message"),
        ("lesson", {"board": "one-one-1", "safe": [[99, 0]]}, "bad_cell"),
        ("lesson", {"board": "one-one-1", "safe": [[0, 0], [0, 1]]}, "bad_setting"),
        ("lesson", {"board": "one-one-1", "safe": "all"}, "bad_message"),
    ],
)
def test_invalid_requests_are_rejected(
    client: httpx.Client, path: str, body: dict[str, Any], code: str
) -> None:
    """The error has the usual shape, and nothing is saved."""
    answer = client.post(f"/api/learn/{path}", json=body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == code


_KILLED = """
import os, signal, sys
from pathlib import Path
from sapper.coach.trainer import Answer, Training
from sapper.server.storage.store import Store

training = Training(Store(Path(sys.argv[1])).transaction)
for _ in range(5):
    training.answer("ann", training.puzzle("ann").puzzle.id, Answer())
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_ratings_survive_a_killed_server(tmp_path: Path, run: Callable[[Store], Any]) -> None:
    """The file contains every acknowledged answer."""
    done = subprocess.run([sys.executable, "-c", _KILLED, str(tmp_path)])
    assert done.returncode == -9
    with Store(tmp_path) as store, run(store) as site:
        cookie = {"Cookie": f"sapper={site.ids.sign('ann')}"}
        with store.transaction() as db:
            [[count]] = db.execute("SELECT count(*) FROM puzzle_answers WHERE player = 'ann'")
        assert count == 5
        assert httpx.get(f"{site.url}/api/learn", headers=cookie, timeout=300).status_code == 200
