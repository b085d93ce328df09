"""The HTTP interface of the Analyze page."""

from __future__ import annotations

import http.client
import json
import math
from pathlib import Path
from typing import Any

import pytest

from sapper import Board, Position, analyze
from sapper.formats import write_mbf
from sapper.overlays import OVERLAYS
from sapper.server import limits
from sapper.server.jobs import analyses
from support.endless import endless

SCREENS = Path(__file__).parents[3] / "data" / "screens"
WALL = {"rows": ["..", "11"], "mines": 1}


def post(site: Any, path: str, body: object, **headers: str) -> tuple[int, Any]:
    """Send one request; bytes are sent unchanged, anything else as JSON."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    try:
        connection.request("POST", f"/api/analyze{path}", data, headers)
        response = connection.getresponse()
        text = response.read().decode()
    finally:
        connection.close()
    if path == "/arrange" and response.status == 200:
        return response.status, [json.loads(line) for line in text.splitlines()]
    return response.status, json.loads(text)


def test_chances_match_the_library(site: Any) -> None:
    """Each frontier cell has its chance or proof; the other cells share one entry."""
    position = Position.parse("mines: 5\n1....\n2....\n.....\n")
    status, found = post(site, "", {"position": position.to_json()})
    expected = analyze(position)
    assert status == 200
    assert found["solutions"] == str(expected.solutions)
    assert (found["safe"], found["mined"]) == (len(expected.safe), len(expected.mined))
    told = dict(found["chances"])
    for index, p in enumerate(expected.p_mine.ravel()):
        if not math.isnan(p):
            said = told.get(index, found["outside"])
            assert {"safe": 0, "mine": 1}.get(said, said) == pytest.approx(p, abs=1e-4)


def test_the_marks_of_an_overlay_are_added(site: Any) -> None:
    """The marks have the same format as in a game."""
    status, found = post(site, "", {"position": WALL, "overlay": "risks"})
    assert (status, found["solutions"]) == (200, "2")
    high = {"text": "", "spoken": "high risk", "tint": "high", "heat": None}
    assert found["cover"]["looks"] == [high]
    assert found["cover"]["cells"] == [[0, 0], [1, 0]]
    assert "cover" not in post(site, "", {"position": WALL})[1]
    status, found = post(site, "", {"position": WALL, "overlay": "x"})
    assert status == 400
    assert "'overlay' must be one of states, chances, risks" in found["error"]["message"]


def test_failing_overlay_leaves_the_chances(monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer contains the chances, and the overlay's error in place of its marks."""
    monkeypatch.setattr(OVERLAYS["risks"], "marks", lambda *_: None)
    found = analyses.chances(Position.from_json(WALL), "risks")
    assert found["solutions"] == "2"
    assert found["cover"]["error"]["code"] == "overlay_failed"


def test_impossible_position_lists_contradicting_numbers(site: Any) -> None:
    """The error lists a minimal set of numbers and counts rows from 1."""
    asked = {"position": {"rows": ["...", "143", "...", "..."]}}
    status, found = post(site, "", asked)
    assert status == 200
    assert found["error"]["code"] == "inconsistent_position"
    assert found["conflict"]["cells"] == [[1, 0], [1, 1]]
    assert "row 2, column 1" in found["conflict"]["sentence"]


def test_win_chance_needs_the_mine_total(site: Any) -> None:
    """The answer gives the chance and its method or, without a total, why it is missing."""
    status, found = post(site, "/wins", {"position": WALL})
    assert status == 200
    assert (found["win_chance"], found["kind"]) == (0.5, "exact")
    assert [one["cell"] for one in found["cells"]] == [[0, 0], [0, 1]]
    status, found = post(site, "/wins", {"position": {"rows": WALL["rows"]}})
    assert status == 400
    assert "mine total or density" in found["error"]["message"]


def test_density_affects_chances_and_win_chance(site: Any) -> None:
    """The density changes the chances of the position, of each cell and of each number."""
    position = {"rows": ["....", ".1..", "..11"], "density": 0.05}
    known = analyze(Position.from_json(position))
    _, found = post(site, "", {"position": position})
    assert (found["weighted"], found["solutions"]) == (True, "12")
    assert dict(found["chances"])[7] == pytest.approx(float(known.p_mine[1, 3]), abs=1e-6)
    _, wins = post(site, "/wins", {"position": position})
    assert wins["win_chance"] == pytest.approx(known.win_chance().win_chance)
    _, cell = post(site, "/cell", {"position": position, "cell": [1, 3], "values": True})
    assert sum(one["chance"] for one in cell["outcomes"]) == pytest.approx(1)
    assert cell["outcomes"][-1]["chance"] == pytest.approx(float(known.p_mine[1, 3]))
    assert all(one["value"] for one in cell["outcomes"])
    status, found = post(site, "", {"position": {**position, "mines": 2}})
    assert status == 400
    assert "not both" in found["error"]["message"]


@pytest.mark.parametrize("overlay", ["states", "chances", "risks"])
def test_overlays_know_that_the_game_goes_on(site: Any, overlay: str) -> None:
    """With a density, the last cell that can be clear is drawn like any other safe cell."""
    running = {"rows": ["1.."], "density": 0.5}
    _, found = post(site, "", {"position": running, "overlay": overlay})
    assert (found["safe"], found["mined"]) == (1, 1)
    assert (dict(found["chances"]), found["outside"]) == ({1: "mine"}, "safe")
    looks = found["cover"]["looks"]
    spoken = {at: looks[look]["spoken"] for at, look in found["cover"]["cells"]}
    assert spoken == {1: "proved mine", 2: "proved safe"}
    _, over = post(site, "", {"position": {**running, "running": False}, "overlay": overlay})
    assert (over["safe"], over["mined"], over["outside"]) == (0, 1, 0.5)


@pytest.mark.parametrize("values", [False, True])
def test_each_number_has_its_chance_and_consequences(site: Any, values: bool) -> None:
    """Win chances are included if requested."""
    asked = {"position": WALL, "cell": [0, 0], "values": values}
    status, found = post(site, "/cell", asked)
    assert status == 200
    number, mine = found["outcomes"]
    assert (number["number"], number["chance"], mine["number"]) == (1, 0.5, None)
    assert (number["value"] is None) is not values


def test_a_deal_fits_the_position(site: Any) -> None:
    """The dealt mines are one of the possible arrangements."""
    _, found = post(site, "/deal", {"position": WALL})
    assert found["board"] in ([0], [1])


@pytest.mark.parametrize("method", ["backtracking", "exact", "sat"])
def test_arrangement_follows_progress(site: Any, method: str) -> None:
    """Every method streams lines; the last one is the result."""
    status, lines = post(site, "/arrange", {"position": WALL, "method": method})
    assert status == 200
    assert all("progress" in line for line in lines[:-1])
    assert lines[-1]["found"] is True
    assert lines[-1]["board"] in ([0], [1])
    _, lines = post(site, "/arrange", {"position": {"rows": ["..", "12"]}, "method": method})
    assert lines[-1]["found"] is False
    assert "contradict" in lines[-1]["error"]["message"]


def test_files_of_other_programs_are_read(site: Any) -> None:
    """An .mbf file gives its mines, a screenshot gives its position."""
    board = Board.parse("*1\n11")
    _, found = post(site, "/load", write_mbf(board))
    assert (found["form"], found["board"]) == ("mbf", [0])
    assert found["position"]["mines"] == 1
    pytest.importorskip("PIL", reason="Pillow is not installed")
    picture = (SCREENS / "sgt-mines-20-lost.png").read_bytes()
    status, found = post(site, "/load", picture)
    assert status == 200, found
    assert found["form"] == "picture"
    Position.from_json(found["position"])


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("", b"no JSON", 400, "bad_message"),
        ("", [1], 400, "bad_message"),
        ("", {}, 400, "bad_position"),
        ("", {"position": {"rows": ["a"]}}, 400, "bad_position"),
        ("", {"position": {"rows": ["." * 10_001]}}, 400, "bad_message"),
        ("", b"x" * (limits.POSITION_BYTES + 1), 413, "too_large"),
        ("/cell", {"position": WALL, "cell": [9, 9]}, 400, "bad_cell"),
        ("/cell", {"position": WALL, "cell": "a"}, 400, "bad_message"),
        ("/cell", {"position": WALL, "cell": [1, 0]}, 400, "bad_setting"),
        ("/deal", {"position": {"rows": ["..", "12"]}}, 400, "inconsistent_position"),
        ("/arrange", {"position": WALL, "method": "magic"}, 400, "bad_message"),
        ("/load", b"\xff\xfe", 400, "bad_position"),
        ("/load", b"\x89PNG damaged", 400, "no_board"),
    ],
)
def test_errors_have_one_shape(site: Any, path: str, body: object, status: int, code: str) -> None:
    """Every refusal includes a code and a sentence that gives the reason."""
    answered, found = post(site, path, body)
    assert answered == status, found
    assert set(found) == {"error"}
    assert found["error"]["code"] == code
    assert "Traceback" not in found["error"]["message"]


def test_pages_of_other_sites_are_rejected(site: Any) -> None:
    """Requests from another origin are refused."""
    status, found = post(site, "", {"position": WALL}, Origin="http://evil.example")
    assert status == 403
    assert found["error"]["code"] == "forbidden"
    own = f"http://127.0.0.1:{site.port}"
    assert post(site, "", {"position": WALL}, Origin=own)[0] == 200


def test_slow_questions_do_not_delay_other_visitors(
    site: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other visitors are answered immediately, and this one once the slow requests are closed."""
    asked = json.dumps({"position": WALL}).encode()
    stuck = [http.client.HTTPConnection("127.0.0.1", site.port) for _ in range(8)]
    with monkeypatch.context() as patch:
        # Wait until the requests have arrived before sending another.
        patch.setattr(analyses, "wins", endless)
        for connection in stuck:
            connection.request("POST", "/api/analyze/wins", asked)
        cookie = {"Cookie": f"sapper={site.ids.sign('o' * 24)}"}
        for path in ("", "/deal", "/cell"):
            status, _ = post(site, path, {"position": WALL, "cell": [0, 0]}, **cookie)
            assert status == 200
    for connection in stuck:
        connection.close()
    status, found = post(site, "/wins", {"position": WALL})
    assert (status, found["win_chance"]) == (200, 0.5)


def test_game_id_is_read_as_the_position_after_its_first_click() -> None:
    """Simon Tatham's ids name the cell that is open at the start."""
    found = analyses.loaded(b" 9x9:6,3,m69b60dc7203fb81507498\n")
    position = Position.from_json(found["position"])
    assert (found["form"], position.mines, len(found["board"])) == ("id", 10, 10)
    assert position[3, 6] == "0"
