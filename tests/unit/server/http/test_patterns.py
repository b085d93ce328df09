"""The pattern library and pattern practice over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sapper.coach.patterns import patterns
from sapper.coach.practice import NEW_PER_DAY, exercises
from sapper.history import PatternCount
from sapper.history.pattern_figures import save_pattern_counts
from sapper.server.storage.store import Store
from support.histories import played


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run these tests on both database engines."""
    return any_store


@pytest.fixture
def client(site: Any) -> Iterator[httpx.Client]:
    """A browser with a new session."""
    with httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as made:
        yield made


def solution(exercise_id: str) -> dict[str, Any]:
    """Return the right answer as the body of a request."""
    exercise = exercises()[exercise_id]
    cells = {"safe": exercise.safe, "mined": exercise.mined}
    return {"exercise": exercise_id, "nothing": not exercise.proves, **cells}


def test_library_has_pictures_with_their_proofs(client: httpx.Client) -> None:
    """Every proved cell of a picture has a proof that uses only the pattern's numbers."""
    found = client.get("/api/learn/patterns").json()
    assert [one["id"] for one in found["patterns"]] == list(patterns())
    families = {one["name"] for one in found["families"]}
    for one in found["patterns"]:
        assert one["family"] in families
        assert one["rows"]
    for name in ("1-2-1", "end-two", "not-1-1", "dead-tee", "1-2"):
        for form in client.post("/api/learn/pattern", json={"pattern": name}).json()["forms"]:
            cells = form["safe"] + form["mined"]
            for told in form["explanations"]:
                assert told["cell"] in cells
                assert told["steps"]
                numbers = [at for step in told["steps"] for at in step["numbers"]]
                assert all(at in form["numbers"] for at in numbers)


def test_queue_of_the_day_ends(client: httpx.Client) -> None:
    """An exercise reveals neither its pattern nor its solution before it is answered."""
    for left in range(NEW_PER_DAY, 0, -1):
        found = client.post("/api/learn/practice", json={}).json()
        assert found["practice"]["new"] == left
        served = found["exercise"]
        assert {*served} == {"id", "rows", "mines", "numbers", "chosen", "elapsed_s"}
        verdict = client.post("/api/learn/practice/answer", json=solution(served["id"])).json()
        assert verdict["solved"]
        assert verdict["name"] == patterns()[verdict["pattern"]].name
        assert verdict["interval_s"] > 86_000
    assert client.post("/api/learn/practice", json={}).json()["exercise"] is None
    assert client.get("/api/learn").json()["practice"]["streak"] == 1


def test_pattern_is_practised_on_demand(client: httpx.Client) -> None:
    """A miss is explained with row and column and counted in the library."""
    found = client.post("/api/learn/practice", json={"pattern": "1-2-1"}).json()
    assert found["name"] == "1-2-1"
    body = {"exercise": found["exercise"]["id"]}
    verdict = client.post("/api/learn/practice/answer", json=body).json()
    assert not verdict["solved"]
    assert "Row " in verdict["explanations"][0]["text"]
    card = client.get("/api/learn/patterns").json()["practice"]["cards"]["1-2-1"]
    assert (card["answered"], card["solved"]) == (1, 0)


def test_missed_patterns_come_first(client: httpx.Client, store: Store) -> None:
    """The library shows the counts of a player's games, which choose the next new pattern."""
    client.post("/api/learn/puzzle", json={})
    with store.transaction() as db:
        [(player,)] = db.execute("SELECT player FROM trainees").fetchall()
    record = played(1)
    store.history.of(player).add(record)
    with store.transaction() as db:
        save_pattern_counts(db, player, record.key, [PatternCount("1-2-1", 2, 3, 5000)])
    counts = client.get("/api/learn/patterns").json()["counts"]
    assert counts == {"1-2-1": {"seen": 2, "missed": 3, "seconds": 2.5}}
    served = client.post("/api/learn/practice", json={}).json()["exercise"]
    assert exercises()[served["id"]].pattern == "1-2-1"
    [row] = client.get("/api/history/statistics").json()["patterns"]
    assert row == {"pattern": "1-2-1", "name": "1-2-1", **counts["1-2-1"]}


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("", {"pattern": 5}, "pattern must be a text"),
        ("", {"pattern": "gone"}, "no exercises for the pattern 'gone'"),
        ("/answer", {}, "exercise must be a text"),
        ("/answer", {"exercise": "gone"}, "no exercise 'gone'"),
        ("/answer", {"exercise": "gone", "nothing": 1}, "nothing must be true or false"),
        ("/answer", {"exercise": None, "safe": [[0, 0]]}, "exercise must be a text"),
    ],
)
def test_bad_requests_are_refused(
    client: httpx.Client, path: str, body: dict[str, Any], message: str
) -> None:
    """The error describes the problem."""
    answer = client.post(f"/api/learn/practice{path}", json=body)
    assert answer.status_code == 400
    assert message in answer.json()["error"]["message"]


def test_page_has_its_own_address(client: httpx.Client) -> None:
    """The page is at /learn/patterns, not at /patterns."""
    page = client.get("/learn/patterns")
    assert page.status_code == 200
    assert '<a href="/learn" aria-current="true">' in page.text
    assert client.get("/patterns").status_code == 404
