"""Answers of `sapper analyze` and `sapper hint`."""

import json
import subprocess
from pathlib import Path

import pytest

from sapper import solver
from sapper.position import Position
from support.known import DATA
from support.program import PROGRAM, run_program, sapper

WALL = "..\n11\n"
WALL_JSON = json.dumps({"width": 2, "height": 2, "mines": 1, "rows": ["..", "11"]})


def test_analyze_answers_in_json() -> None:
    """The answer contains the documented keys, null for opened cells, and an exact count."""
    done = run_program("analyze", "--json", "--mines", "1", stdin=WALL)
    [answer] = done.json
    assert done.code == 0
    assert done.err == ""
    assert answer.pop("elapsed_s") >= 0
    assert answer == {
        "solutions": "2",
        "p_mine": [[0.5, 0.5], [None, None]],
        "safe": [],
        "mined": [],
        "exact": True,
    }


def test_a_density_weighs_the_arrangements() -> None:
    """The density is an option or part of the input; the summary states which one was used."""
    wide = "....\n.1..\n..11\n"
    [answer] = sapper("analyze", "--json", "--density", "0.05", stdin=wide).json
    assert (round(answer["p_mine"][1][3], 4), answer["solutions"]) == (0.2083, "12")
    done = sapper("analyze", stdin=f"density: 0.05\n{wide}")
    assert "density       0.05" in done.out
    assert "21%" in done.out
    done = sapper("analyze", stdin=wide)
    assert "mine total    unknown: every arrangement counts equally" in done.out
    # No number touches the cells on the right.
    done = sapper("analyze", stdin="....\n.1..\n....\n")
    assert "0 12% 12% 12%   ?" in done.out
    assert "cells with ?  touch no number: their chance of a mine is unknown" in done.out
    [clue] = sapper("hint", "--json", "--density", "0.2", stdin="mines: 1\n..\n11\n").json
    assert clue["sentence"].startswith("No cell is safe. This is the least risky: its chance")
    done = sapper("hint", stdin=WALL)
    assert "Mine total unknown: every arrangement counts equally." in done.out


def test_a_picture_shows_the_chances_or_an_overlay(tmp_path: Path) -> None:
    """The picture describes each cell, and the answer is printed as usual."""
    target = tmp_path / "position.svg"
    done = sapper("analyze", "--mines", "1", "--svg", str(target), stdin=WALL)
    assert "arrangements  2" in done.out
    assert "row 1, column 1, unopened, mine chance 50%" in target.read_text("utf-8")
    svg = "--svg", str(target), "--overlay"
    done = sapper("analyze", "--json", "--mines", "1", *svg, "risks", stdin=WALL)
    assert done.json[0]["solutions"] == "2"
    assert "row 1, column 1, unopened, high risk" in target.read_text("utf-8")
    done = sapper("analyze", *svg, "x", stdin=WALL)
    assert (done.code, done.err) == (
        2,
        "sapper: unknown overlay 'x'; choose from: states, chances, risks\n",
    )
    done = sapper("analyze", "--overlay", "risks", stdin=WALL)
    assert "--overlay needs --svg FILE" in done.err
    done = sapper("analyze", *svg, "risks", stdin=f"{WALL_JSON}\n{WALL_JSON}")
    assert "--svg draws one position, and the input has more" in done.err


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--density", "2"], "density must be between 0 and 1, got 2.0"),
        (["--density", "nan"], "density must be between 0 and 1, got nan"),
        (
            ["--density", "0.1", "--mines", "1"],
            "give --mines or --density, not both, got 1 and 0.1",
        ),
    ],
)
def test_invalid_density_is_rejected(options: list[str], reason: str) -> None:
    """The error is one line, and the exit status is 2."""
    done = sapper("analyze", *options, stdin=WALL)
    assert done.code == 2
    assert reason in done.err


def test_win_chances_are_printed_on_request() -> None:
    """JSON includes the win chance of every cell; text lists them after the summary."""
    [answer] = sapper("analyze", "--json", "--win-chance", "--mines", "1", stdin=WALL).json
    cell = {"cell": [0, 0], "p_mine": 0.5, "win_chance": 0.5, "error": 0.0}
    assert answer["win_chance"] == {
        "win_chance": 0.5,
        "kind": "exact",
        "error": 0.0,
        "cells": [cell, {**cell, "cell": [0, 1]}],
    }
    done = sapper("analyze", "--win-chance", "--mines", "1", stdin=WALL)
    assert done.out.splitlines()[-3:] == [
        "win chance    50.0 % (exact)",
        "  (0, 0): wins 50.0 %, mine in 50.0 %",
        "  (0, 1): wins 50.0 %, mine in 50.0 %",
    ]


@pytest.mark.parametrize(
    "text",
    [WALL, WALL_JSON, json.dumps(json.loads(WALL_JSON), indent=2), "\ufeff// a wall\n" + WALL],
)
def test_text_and_json_are_read_from_a_file(tmp_path: Path, text: str) -> None:
    """A file may hold text, one line of JSON, or several lines of JSON."""
    file = tmp_path / "wall"
    file.write_text(text, encoding="utf-8")
    done = sapper("analyze", str(file), "--mines", "1", "--json")
    assert done.code == 0
    assert done.json[0]["solutions"] == "2"


@pytest.mark.parametrize("data", [b"2x2x1\nHH\n11\n", bytes([2, 1, 0, 1, 1, 0])])
def test_files_of_other_programs_are_read(tmp_path: Path, data: bytes) -> None:
    """A .board file is read as a position, an .mbf file as an unopened board."""
    file = tmp_path / "wall"
    file.write_bytes(data)
    done = sapper("analyze", str(file), "--json")
    assert done.code == 0
    assert done.json[0]["solutions"] == "2"


def test_command_line_total_overrides_the_input() -> None:
    """``--mines`` overrides the header and the JSON key."""
    assert sapper("analyze", "--json", "--mines", "1", stdin="mines: 2\n" + WALL).code == 0
    assert sapper("analyze", "--json", stdin="mines: 2\n" + WALL).code == 1
    assert sapper("analyze", "--json", "--mines", "2", stdin=WALL_JSON).code == 1


def test_every_position_is_answered_on_its_line() -> None:
    """Answers are in the order of the input lines, and each error replaces its answer."""
    text = (DATA / "positions.jsonl").read_text("ascii")
    expected = [json.loads(line) for line in text.splitlines()]
    lines = "".join(json.dumps(entry) + "\n" for entry in expected)
    done = sapper("analyze", "--json", stdin=lines)
    assert done.code == 1
    assert len(done.json) == len(expected)
    for answer, known in zip(done.json, expected, strict=True):
        if "error" in known:
            assert answer["error"]["code"] == known["error"]
        else:
            for key in ("solutions", "safe", "mined"):
                assert answer[key] == known[key]


def test_lines_are_answered_as_they_arrive() -> None:
    """Each answer is printed before the next line is read, so another program can wait for it."""
    with subprocess.Popen(
        [PROGRAM, "analyze", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for _ in range(2):
            running.stdin.write(WALL_JSON + "\n")
            running.stdin.flush()
            assert json.loads(running.stdout.readline())["solutions"] == "2"


def test_counts_with_thousands_of_digits_are_printed() -> None:
    """Python's limit on digits does not apply to counts."""
    rows = ["." * 200] * 100
    done = sapper("analyze", "--json", stdin=json.dumps({"rows": rows}))
    assert done.code == 0
    assert len(done.json[0]["solutions"]) == 6021


def test_picture_distinguishes_proofs_from_rounding() -> None:
    """S and M mark proved cells; a chance below 1 % is shown as <1%, never as 0 %."""
    done = sapper("analyze", "--mines", "2", stdin="....\n.11.\n....\n")
    assert done.code == 0
    assert "0 33%   S   S 33%" in done.out
    assert "proved        4 safe, 0 mined" in done.out
    wide = sapper("analyze", "--mines", "1", stdin="." * 101 + "\n")
    assert "<1%" in wide.out
    assert " 0%" not in wide.out


def test_piped_picture_has_no_escape_codes() -> None:
    """Escape codes are written only to a terminal."""
    assert "\x1b" not in sapper("analyze", stdin=WALL).out


def test_time_limit_gives_estimates() -> None:
    """An answer cut short by ``--seconds`` is marked as an estimate and includes its error."""
    # One component has over 1000 cells, which is too many to count in a nanosecond.
    wide = "mines: 300\n" + ("." * 60 + "\n" + ".2" * 30 + "\n") * 20
    done = sapper("analyze", "--json", "--seconds", "1e-9", stdin=wide)
    assert done.code == 0
    [answer] = done.json
    assert answer["exact"] is False
    assert answer["solutions"] is None
    assert len(answer["p_mine_error"]) == len(answer["p_mine"]) == 40


def test_hint_suggests_a_cell() -> None:
    """Text and JSON agree with the library."""
    text = "....\n.11.\n....\n"
    expected = solver.hint(Position.parse(text, mines=2))
    done = sapper("hint", "--json", "--mines", "2", stdin=text)
    assert done.code == 0
    assert done.json == [{**expected.to_json(), "pattern": None}]
    spoken = sapper("hint", "--mines", "2", stdin=text)
    assert spoken.out == f"open {expected.cell}: {expected.sentence}\n"


@pytest.mark.parametrize("command", ["analyze", "hint"])
def test_impossible_position_is_a_negative_answer(command: str) -> None:
    """The exit status is 1, and the output is an error object in JSON or a sentence as text."""
    done = sapper(command, "--json", stdin="8.\n")
    assert done.code == 1
    assert done.json[0]["error"]["code"] == "inconsistent_position"
    assert done.json[0]["error"]["cause"] == "number"
    assert done.err == ""
    spoken = sapper(command, stdin="8.\n")
    assert spoken.code == 1
    assert "impossible" in spoken.out


def test_hint_says_when_there_is_nothing_to_open() -> None:
    """The exit status is 1 if no cell can be opened."""
    done = sapper("hint", "--json", stdin="1.\n")
    assert done.code == 1
    assert done.json[0]["error"]["code"] == "illegal_action"


def test_terminal_colours_proofs() -> None:
    """Safe cells are bold green; chances are not."""
    done = run_program("analyze", "--mines", "2", stdin="....\n.11.\n....\n", colour=True)
    assert "\x1b[1;32m   S\x1b[0m" in done.out
    assert "\x1b[33m 33%\x1b[0m" in done.out
