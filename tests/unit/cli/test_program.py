"""The program as a whole: help, version, usage errors, `generate` and `bench`."""

import json
import os
import re
import subprocess
import threading
from types import SimpleNamespace
from typing import Any

import pytest

import sapper as library
from sapper import Board, Cell, Game
from sapper.cli import bench, program
from sapper.cli.usage import usage_error
from support.program import PROGRAM, run_program, sapper

COMMANDS = ["play", "analyze", "arrange", "hint", "generate", "review", "bench"]


def test_version_matches_the_library() -> None:
    """``--version`` and ``-V`` print the program's name and the library's version."""
    assert run_program("--version").out == f"sapper {library.__version__}\n"
    assert sapper("-V").out == f"sapper {library.__version__}\n"


def test_program_without_arguments_prints_help() -> None:
    """The help lists every command, and the exit status is 0."""
    done = sapper()
    assert done.code == 0
    assert all(command in done.out for command in COMMANDS)


@pytest.mark.parametrize("group", ["", "lab", "replay", "history"])
def test_group_without_command_lists_its_commands(group: str) -> None:
    """The list used to be one error line with cut-off descriptions."""
    done = sapper(*group.split())
    assert (done.code, done.err) == (0, "")
    listed = done.out.partition("Commands:\n")[2].splitlines()
    assert len(listed) > 3
    assert [line for line in listed if line.endswith("...")] == []


def test_every_command_has_option_n() -> None:
    """`sapper bot` only had `--games`."""
    for command in ("bot", "lab run", "lab rank", "lab reproduce", "generate", "history list"):
        done = sapper(*command.split(), "-n", "many")
        assert re.search(r"(-n|--games) must be an integer, got 'many'", done.err), command


@pytest.mark.parametrize("command", COMMANDS)
def test_help_includes_an_example(command: str) -> None:
    """The help of every command ends with an example to copy."""
    done = sapper(command, "--help")
    assert done.code == 0
    assert f"sapper {command}" in done.out.split("Example:")[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fly"], "no such command 'fly'"),
        (["analyze", "--fast"], "no such option: --fast; see "),
        (["analyze", "a", "b"], "unexpected argument: b; see"),
        (["analyze", "--mines", "many"], "--mines must be an integer, got 'many'"),
        (["analyze", "--seconds", "0"], "--seconds must be greater than 0"),
        (["analyze", "--seconds", "nan"], "--seconds must be greater than 0"),
        (["play", "--port", "70000"], "--port must be at most 65535, got '70000'"),
        (["generate", "--level", "huge"], "invalid level 'huge'"),
        (["generate", "--level", "9x9:82"], "between 0 and 81 for 9x9, got 82"),
        (["generate", "--level", "9x9:81"], "no cell of 9x9:81 can keep the promise"),
        (["generate", "--start", "here"], "--start must be a row and a column"),
        (["generate", "--start", "16,0"], "no cell (16, 0)"),
        (["generate", "--seed", "-1"], "seed must be an integer"),
        (["generate", "--first-click", "luck"], "must be any, safe or opening, got 'luck'"),
        (["generate", "-n", "-1"], "-n must be at least 0, got '-1'"),
        (["bench", "--passes", "0"], "--passes must be at least 1, got '0'"),
    ],
)
def test_usage_error_is_one_line(arguments: list[str], message: str) -> None:
    """Wrong arguments are treated like any other bad input."""
    done = sapper(*arguments)
    assert done.code == 2
    assert done.out == ""
    assert len(done.err.splitlines()) == 1
    assert message in done.err


def test_generated_boards_have_documented_keys() -> None:
    """Each object contains the board, the start, and the settings that recreate it."""
    done = sapper("generate", "--level", "16x16:40", "--seed", "7", "-n", "3", "--json")
    assert done.code == 0
    for number, answer in enumerate(done.json):
        board = Board.from_json(answer)
        assert (answer["width"], answer["height"], answer["mines"]) == (16, 16, 40)
        assert not board.is_mine(Cell(*answer["start"]))
        assert answer["seed"] == 7 + number
        assert answer["no_guess"] is False
        assert answer["bbbv"] > 0


def test_generated_board_matches_the_game() -> None:
    """A game with the same level, seed and first click has the same board."""
    [answer] = sapper(
        "generate", "--level", "expert", "--start", "3,3", "--first-click", "opening",
        "--seed", "5", "--json",
    ).json  # fmt: skip
    game = Game("expert", first_click="opening", seed=5)
    game.open((3, 3))
    opened = {cell: game.position.number(cell) for cell in game.position.topology.cells()}
    rows = answer["rows"]
    assert opened[Cell(3, 3)] == 0
    assert all(n is None or rows[c.row][c.col] == str(n) for c, n in opened.items())


def test_generated_text_parses() -> None:
    """Without ``--json``, a comment above the board gives the seed."""
    done = sapper("generate", "--level", "beginner", "--seed", "7")
    assert done.out.startswith("// seed 7, first click (")
    assert Board.parse(done.out).mines == 10


def test_zero_boards_print_nothing() -> None:
    """`-n 0` is valid and generates nothing."""
    assert sapper("generate", "-n", "0").out == ""


def test_bench_prints_a_signature() -> None:
    """The signature of the suite's counts does not change."""
    [answer] = sapper("bench", "--passes", "1", "--json").json
    assert answer["positions"] == len(bench.suite())
    assert answer["positions_per_second"] > 0
    # A different value means that the result of an analysis has changed.
    assert answer["signature"] == 45270740920691527
    assert int(answer["solutions"]) % bench.MODULUS == answer["signature"]


def test_bench_prints_text() -> None:
    """Without ``--json``, each figure is a labelled line."""
    done = sapper("bench", "--passes", "1")
    assert "positions/s" in done.out
    assert "signature    45270740920691527" in done.out


def test_json_output_has_only_json() -> None:
    """With ``--json``, every line is JSON."""
    done = sapper("generate", "--json", "-n", "2")
    assert [json.loads(line)["width"] for line in done.out.splitlines()] == [30, 30]


def test_calls_in_one_process_are_independent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ctrl-C affects only the current call; the thread that repeats it ends with the call."""
    for _ in range(10):
        assert sapper("--version").code == 0
    assert all(thread.name != "interrupts" for thread in threading.enumerate())
    # This is the state left behind when an earlier call was interrupted.
    monkeypatch.setattr(program._interrupts, "seen", True)
    assert sapper("fly").code == 2


def test_terminal_without_unicode_is_supported() -> None:
    """The symbol for a zero caused a traceback."""
    done = subprocess.run(
        [PROGRAM, "analyze", "--mines", "1"],
        input=b"..1\n111\n000\n",
        capture_output=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"?" in done.stdout


@pytest.mark.parametrize(
    ("message", "kind", "text"),
    [
        ("'many' is not a valid int.", SimpleNamespace(), "an integer, got 'many'"),
        ("'1.5' is not a valid int range.", SimpleNamespace(), "an integer, got '1.5'"),
        ("'x' is not a valid float.", SimpleNamespace(), "a number, got 'x'"),
        (
            "70000 is not in the range 0<=x<=65535.",
            SimpleNamespace(min=0, max=65535),
            "at most 65535, got '70000'",
        ),
        ("-1 is not in the range x>=0.", SimpleNamespace(min=0, max=None), "at least 0, got '-1'"),
        ("'c' is not one of 'a', 'b'.", SimpleNamespace(), "a or b, got 'c'"),
        ("it's is not one of 'a', 'b'.", SimpleNamespace(), 'a or b, got "it\'s"'),
    ],
)
def test_refused_value_names_its_rule(message: str, kind: Any, text: str) -> None:
    """Click's messages name the value, and ours also the option and what is allowed."""
    problem: Any = ValueError()
    problem.message = message
    problem.format_message = lambda: f"Invalid value for '--level' / '-l': {message}"
    problem.param = SimpleNamespace(opts=["--level", "-l"], param_type_name="option", type=kind)
    assert usage_error(problem) == f"--level must be {text}; see sapper --help"
    problem.param.param_type_name = "argument"
    problem.format_message = lambda: f"Invalid value for 'LEVEL': {message}"
    assert usage_error(problem) == f"'LEVEL' must be {text}; see sapper --help"
