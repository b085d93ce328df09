"""Mistakes over HTTP: found in finished games, stored until solved, erased with the game."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from sapper.coach import Review, review
from sapper.coach.trainer import Mistake, mistakes_of
from sapper.history import Record
from sapper.server.storage.store import Store
from sapper.simulation import Match

_SESSION = "m" * 24
_LOST = Match("autosweeper", "intermediate").game(0)
"""A blunder when guessing, then a needless guess that loses the game."""


@pytest.fixture
def store(any_store: Store) -> Store:
    """Run these tests on both database engines."""
    return any_store


@pytest.fixture(scope="module")
def found() -> Review:
    """The review of the lost game."""
    return review(_LOST)


@pytest.fixture
def client(site: Any) -> Iterator[httpx.Client]:
    """A browser with a new session."""
    with httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as made:
        made.get("/api/learn")
        yield made


@pytest.fixture
def key(client: httpx.Client) -> str:
    """The lost game's id in the browser's history."""
    line = json.dumps(Record.of_game(_LOST, 1).to_json())
    assert client.post("/api/history/import", content=line).json()["added"] == 1
    return str(client.get("/api/history/games").json()["games"][0]["id"])


def ask(client: httpx.Client, path: str, **body: Any) -> dict[str, Any]:
    """Send a request that must succeed, and return its answer."""
    answer = client.post(f"/api/{path}", json=body)
    assert answer.status_code == 200, answer.text
    told: dict[str, Any] = answer.json()
    return told


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Return the status and code of a request that must be refused."""
    return answer.status_code, answer.json()["error"]["code"]


def test_review_lists_its_mistakes(client: httpx.Client, key: str, found: Review) -> None:
    """The last line of the review lists the decisions that become questions."""
    lines = client.get(f"/api/review?game={key}").text.splitlines()
    assert json.loads(lines[-1])["mistakes"] == [each.move for each in mistakes_of(found)]


def test_right_answer_has_a_proof_and_stores_nothing(
    client: httpx.Client, key: str, found: Review
) -> None:
    """Cells are named as on the page."""
    safe = found.decisions[51].safe[0]
    told = ask(client, "review/mistake", key=f"game-{key}", decision=51, safe=[list(safe)])
    assert told["solved"]
    assert told["text"].startswith("Row ")
    assert "row " in told["explanations"][0]["steps"][0]["text"].lower()
    assert (told["total"], told["due"]) == (0, 0)


def test_wrong_answer_stores_the_mistake_and_hides_the_solution(
    client: httpx.Client, key: str, found: Review
) -> None:
    """The safe cells are not sent until they are requested."""
    cell = list(found.decisions[51].cell)
    told = ask(client, "review/mistake", key=f"game-{key}", decision=51, safe=[cell])
    assert (told["solved"], told["safe"], told["total"]) == (False, [], 1)
    shown = ask(client, "review/mistake", key=f"game-{key}", decision=51)
    assert (shown["solved"], shown["total"]) == (False, 1)
    assert shown["safe"] == [list(each) for each in found.decisions[51].safe]
    assert client.get("/api/learn/mistakes").json() == {"total": 1, "due": 1}


def test_stored_mistake_is_asked_again(client: httpx.Client, key: str, found: Review) -> None:
    """The question omits the solution; a correct answer on that day does not clear the mistake."""
    ask(client, "review/mistake", key=f"game-{key}", decision=51)
    served = ask(client, "learn/mistakes/next")["mistake"]
    assert sorted(served) == ["cell", "id", "mines", "move", "question", "rows", "topology"]
    assert served["rows"] == list(found.position(51).rows)
    safe = [list(found.decisions[51].safe[0])]
    told = ask(client, "learn/mistakes/answer", id=served["id"], safe=safe)
    assert (told["solved"], told["removed"], told["total"], told["due"]) == (True, False, 1, 0)


def test_mistakes_are_exported_and_erased(client: httpx.Client, key: str, found: Review) -> None:
    """Erasing requires the number of mistakes, so that an outdated page erases nothing unseen."""
    ask(client, "review/mistake", key=f"game-{key}", decision=51)
    [line] = client.get("/api/learn/mistakes/export").text.splitlines()
    row = json.loads(line)
    assert row["game"] == key
    assert Mistake.from_json(row) == mistakes_of(found)[1]
    answer = client.post("/api/learn/mistakes/erase", json={"mistakes": 2})
    assert refused(answer) == (400, "bad_message")
    assert ask(client, "learn/mistakes/erase", mistakes=1) == {"erased": 1}
    assert ask(client, "learn/mistakes/next") == {"mistake": None, "total": 0, "due": 0}


def test_erasing_games_erases_their_mistakes(client: httpx.Client, key: str) -> None:
    """Mistakes from other games stay."""
    other = json.dumps(Record.of_game(Match("autosweeper", "beginner").game(8), 2).to_json())
    client.post("/api/history/import", content=other)
    ids = {each["level"]: each["id"] for each in client.get("/api/history/games").json()["games"]}
    ask(client, "review/mistake", key=f"game-{key}", decision=51)
    ask(client, "review/mistake", key=f"game-{ids['beginner']}", decision=27)
    assert client.get("/api/learn/mistakes").json()["total"] == 2
    ask(client, "history/erase", games=1, selection={"level": "beginner"})
    assert client.get("/api/learn/mistakes").json()["total"] == 1
    assert json.loads(client.get("/api/learn/mistakes/export").text)["game"] == key
    ask(client, "history/erase", games=1)
    assert client.get("/api/learn/mistakes").json()["total"] == 0


def test_other_browsers_have_no_access(site: Any, client: httpx.Client, key: str) -> None:
    """Another visitor cannot access the game or the mistake."""
    ask(client, "review/mistake", key=f"game-{key}", decision=51)
    kept = ask(client, "learn/mistakes/next")["mistake"]["id"]
    with httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as other:
        body = {"key": f"game-{key}", "decision": 51}
        assert refused(other.post("/api/review/mistake", json=body)) == (404, "no_game")
        other.get("/api/learn")
        assert refused(other.post("/api/review/mistake", json=body)) == (404, "no_game")
        answer = other.post("/api/learn/mistakes/answer", json={"id": kept})
        assert refused(answer) == (400, "bad_puzzle")
        assert other.get("/api/learn/mistakes/export").text == ""


def test_running_game_reveals_nothing(site: Any) -> None:
    """Mistakes become questions only when the game is over, even after an undone loss."""
    cookie = {"Cookie": f"sapper={site.ids.sign(_SESSION)}"}
    with (
        site.player(_SESSION) as player,
        httpx.Client(
            base_url=site.url, trust_env=False, verify=False, timeout=300, headers=cookie
        ) as client,
    ):
        settings = {"level": "beginner", "rules": "classic", "first_click": "opening"}
        begun = player.send("new", settings=settings, seed=47)["game"]["key"]
        for cell in ([4, 4], [0, 5]):
            player.send("open", cell=cell)
        body = {"key": begun, "decision": 1}
        assert refused(client.post("/api/review/mistake", json=body))[1] == "still_running"
        player.send("open", cell=[0, 0])
        told = ask(client, "review/mistake", key=begun, decision=2)
        assert len(told["safe"]) == 10
        [line] = client.get("/api/learn/mistakes/export").text.splitlines()
        [game] = client.get("/api/history/games").json()["games"]
        assert json.loads(line)["game"] == game["id"]
        player.send("undo")
        answer = client.post("/api/review/mistake", json={**body, "decision": 2})
        assert refused(answer)[1] == "still_running"


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("review/mistake", {}, "bad_message"),
        ("review/mistake", {"key": "x"}, "bad_message"),
        ("review/mistake", {"key": "\ud800", "decision": 1}, "bad_message"),
        ("review/mistake", {"key": "x", "decision": 1}, "illegal_action"),
        ("review/mistake", {"key": "day-2020-01-01", "decision": 1}, "no_game"),
        ("review/mistake", {"key": "game-x", "decision": 1}, "no_game"),
        ("review/mistake", {"key": "KEY", "decision": 0}, "bad_setting"),
        ("review/mistake", {"key": "KEY", "decision": 999}, "bad_setting"),
        ("review/mistake", {"key": "KEY", "decision": 51, "safe": [[0]]}, "bad_message"),
        ("review/mistake", {"key": "KEY", "decision": 51, "safe": [[0, 0]]}, "bad_setting"),
        ("learn/mistakes/answer", {"id": 3}, "bad_message"),
        ("learn/mistakes/answer", {"id": "x"}, "bad_puzzle"),
        ("learn/mistakes/erase", {}, "bad_message"),
    ],
)
def test_invalid_requests_are_rejected(
    client: httpx.Client, key: str, path: str, body: dict[str, Any], code: str
) -> None:
    """The error has the usual shape, and nothing is stored."""
    if body.get("key") == "KEY":
        body = {**body, "key": f"game-{key}"}
    answer = client.post(f"/api/{path}", content=json.dumps(body))
    assert refused(answer)[1] == code
    assert client.get("/api/learn/mistakes").json()["total"] == 0
