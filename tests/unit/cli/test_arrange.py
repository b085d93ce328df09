"""`sapper arrange`."""

import json
import signal
import subprocess
import sys

import pytest

from sapper import Board
from sapper.solver.arrange import Method
from support.marks import slow
from support.program import PROGRAM, run_program, sapper

OPEN = "....\n.11.\n....\n"
WIDE = "\n".join(["." * 200, ".2" * 100] * 100)
METHODS = list(Method)


@pytest.mark.parametrize("method", METHODS)
def test_an_arrangement_in_json(method: str) -> None:
    """The answer contains the documented keys, and its board can be parsed."""
    done = sapper("arrange", "--json", "--mines", "2", "--method", method, stdin=OPEN)
    assert done.code == 0
    assert done.err == ""
    [answer] = done.json
    assert set(answer) == {"found", "board", "mines"}
    assert answer["found"] is True
    board = Board.parse("\n".join(answer["board"]))
    assert board.mines == answer["mines"] == 2
    assert answer["board"][1][1:3] == "11"


@pytest.mark.parametrize("method", METHODS)
def test_impossible_position_has_no_arrangement(method: str) -> None:
    """The exit status is 1, and the reason is given in JSON or as text."""
    done = sapper("arrange", "--json", "--method", method, stdin="...\n143\n...\n")
    assert done.code == 1
    assert done.err == ""
    reason = "3 numbers contradict each other: (1, 0), (1, 1), (1, 2)"
    assert done.json == [{"found": False, "reason": reason, "cause": "component"}]
    spoken = sapper("arrange", "--method", method, stdin="...\n143\n...\n")
    assert spoken.code == 1
    assert spoken.out == f"{reason}\n"


def test_text_answer_parses_as_a_board() -> None:
    """A comment precedes the board."""
    done = sapper("arrange", "--mines", "2", stdin=OPEN)
    assert done.code == 0
    assert done.out.startswith("// found by backtracking: 1 area, ")
    assert Board.parse(done.out).mines == 2
    assert "\x1b" not in done.out


def test_terminal_colours_mines() -> None:
    """Mines are coloured, and computed numbers are paler than opened ones."""
    done = run_program("arrange", "--mines", "2", stdin=OPEN, colour=True)
    assert "\x1b[1;31m*\x1b[0m" in done.out


def test_many_positions_are_answered_line_by_line() -> None:
    """A bad line or an impossible position does not affect the other answers."""
    lines = ['{"rows": ["..", "11"]}', '{"rows": ["8."]}', '{"rows": ["x"]}', '{"rows": ["1."]}']
    done = sapper("arrange", "--json", stdin="\n".join(lines))
    assert done.code == 2
    assert [answer.get("found") for answer in done.json] == [True, False, None, True]
    assert done.json[2]["error"]["code"] == "bad_position"


@pytest.mark.parametrize("method", METHODS)
def test_timeout_is_an_error(method: str) -> None:
    """The program prints an error object and exits with 2."""
    wide = "mines: 5000\n" + WIDE
    done = sapper("arrange", "--json", "--seconds", "1e-9", "--method", method, stdin=wide)
    assert done.code == 2
    assert done.json[0]["error"]["code"] == "limit_reached"
    assert "undecided after" in done.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--method", "luck"], "--method"),
        (["--start-rule", "last"], "--start-rule"),
        (["--likelihood", "much"], "--likelihood"),
        (["--seconds", "0"], "--seconds must be greater than 0"),
        (["nowhere.txt"], "cannot read 'nowhere.txt'"),
    ],
)
def test_usage_error_is_one_line(arguments: list[str], message: str) -> None:
    """Wrong arguments give the same exit status as bad input."""
    done = sapper("arrange", *arguments, stdin=OPEN)
    assert done.code == 2
    assert done.out == ""
    assert message in done.err
    assert done.err.count("\n") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not sent so there")
@pytest.mark.parametrize("method", [slow("backtracking"), slow("exact"), "sat"])
def test_ctrl_c_interrupts(method: str) -> None:
    """Ctrl-C soon stops the command, which prints one line, even during native code."""
    rows = [".2" * 500 if row % 2 else "." * 1000 for row in range(1000)]
    with subprocess.Popen(
        [PROGRAM, "arrange", "--method", method],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as running:
        assert running.stdin is not None
        # This is more than a pipe holds, so the program must be reading by the time all of it is
        # written.
        running.stdin.write(json.dumps({"rows": rows}) + "\n")
        running.stdin.flush()
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(1)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=300)
    assert running.returncode == 130
    assert out == ""
    assert err == "sapper: interrupted before an arrangement was found\n"
