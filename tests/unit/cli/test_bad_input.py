"""Bad input to `analyze` and `hint`: one clear line, exit status 2, no traceback."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from support.program import PROGRAM, Result, sapper

WALL = {"width": 2, "height": 2, "mines": 1, "rows": ["..", "11"]}


def assert_refused(done: Result, message: str) -> None:
    """Check that standard error is one line that gives the reason."""
    assert done.code == 2
    assert "Traceback" not in done.err
    assert len(done.err.splitlines()) == 1
    assert message in done.err


BAD = {
    "ragged rows": ("...\n..\n", "row 2 has 2 cells, but row 1 has 3"),
    "a letter": (".x.\n", "row 1, column 2: 'x' is not a cell"),
    "a nine": ("9.\n", "'9' is not a cell"),
    "negative mines": ("mines: -1\n..\n", "line 1: mines must be a whole number"),
    "too many mines": ("mines: 3\n..\n", "mines must be between 0 and 2 for 2 cells, got 3"),
    "a huge mine total": ("mines: " + "9" * 100_000 + "\n..\n", "mines"),
    "empty": ("", "the input is empty"),
    "blank": ("\n// nothing\n\n", "the input is empty"),
    "only a header": ("mines: 3\n", "at least one row"),
    "not UTF-8": (b"..\n.\xff\n", "line 2 is not UTF-8: byte 0xff"),
    "UTF-16": ("..\n".encode("utf-16"), "not UTF-8"),
    "a NUL": (b".\0.\n", "is not a cell"),
    "broken JSON": ('{"rows": ["..",, "11"]}', "line 1: not JSON at column 16"),
    "JSON that ends early": ('{"rows": ["..",', "ends before it is complete"),
    "a JSON list": ("[1, 2]", "expected a JSON object"),
    "rows that are numbers": ('{"rows": [1]}', "'rows' must be a list of strings"),
    "a width that is wrong": ('{"rows": [".."], "width": 3}', "'width' is 3"),
    "deep JSON": ("[" * 200_000, "nested too deeply"),
    "deep JSON in a position": ('{"rows":' + "[" * 99_999 + "]" * 99_999 + "}", "too deeply"),
    "a huge integer": ('{"rows": ["."], "mines": ' + "9" * 10**6 + "}", "1000000 digits"),
    "a total that is no number": ('{"rows": ["."], "mines": NaN}', "whole number or null"),
    "a lone surrogate": ('{"rows": ["\\ud800"]}', "is not a cell"),
    "an unknown topology": ("topology: klein\n..\n", "unknown topology 'klein'"),
}


@pytest.mark.parametrize("command", ["analyze", "hint"])
@pytest.mark.parametrize("name", ["ragged rows", "broken JSON", "not UTF-8"])
def test_bad_input_error_is_one_line(command: str, name: str) -> None:
    """Without ``--json``, the line on standard error is the only output."""
    text, message = BAD[name]
    done = sapper(command, stdin=text)
    assert_refused(done, message)
    assert done.out == ""


@pytest.mark.parametrize("name", BAD)
def test_bad_input_has_an_error_object_in_json(name: str) -> None:
    """With ``--json``, the error replaces the answer and is also printed on standard error."""
    text, message = BAD[name]
    done = sapper("analyze", "--json", stdin=text)
    assert_refused(done, message)
    [answer] = done.json
    assert set(answer) == {"error"}
    assert set(answer["error"]) == {"code", "message"}
    assert message in answer["error"]["message"]


@pytest.mark.parametrize("broken", ["{]", '{"rows": [', '"', "nonsense", '{"rows": []}', "\xff"])
def test_bad_line_does_not_affect_other_answers(broken: str) -> None:
    """The error for the third of five lines gives its number; the others are answered."""
    good = json.dumps(WALL)
    text = "\n".join([good, good, broken, good, good]).encode("latin-1")
    done = sapper("analyze", "--json", stdin=text)
    assert_refused(done, "line 3: ")
    assert [answer.get("solutions") for answer in done.json] == ["2", "2", None, "2", "2"]
    assert "error" in done.json[2]


def test_bad_input_outweighs_a_contradiction() -> None:
    """The exit status is 2 for bad input, otherwise 1 for a contradiction, otherwise 0."""
    good, never = json.dumps(WALL), json.dumps({"rows": ["8."]})
    assert sapper("analyze", "--json", stdin=f"{good}\n{never}\n{good}").code == 1
    assert sapper("analyze", "--json", stdin=f"{never}\n{{]\n{good}").code == 2


def test_unreadable_files_are_rejected(tmp_path: Path) -> None:
    """Missing files, directories and invalid names are refused."""
    assert_refused(sapper("analyze", str(tmp_path / "none")), "no such file")
    assert_refused(sapper("analyze", str(tmp_path)), "is a directory")
    assert_refused(sapper("hint", "a\nb"), "cannot read 'a\\nb'")


def write_all(pipe: IO[bytes], line: bytes, times: int) -> None:
    """Write a line again and again."""
    for _ in range(times):
        pipe.write(line)


@pytest.mark.parametrize("line", [b"." * 10**6, b"." * 100 + b"\n"])
@pytest.mark.skipif(sys.platform != "linux", reason="memory is measured by Linux's rusage")
def test_huge_input_is_rejected_early(line: bytes) -> None:
    """Input that is too long is not read to its end or stored, in one line or many."""
    script = (
        "import resource, subprocess, sys; "
        "code = subprocess.run(sys.argv[1:]).returncode; "
        "print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(PROGRAM), "analyze"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        with pytest.raises(BrokenPipeError):
            write_all(running.stdin, line, 100_000_000 // len(line))
        out, err = running.communicate()
    code, kilobytes = map(int, out.split())
    assert code == 2
    assert b"longer than" in err
    assert kilobytes < 300_000


def test_long_json_line_is_skipped() -> None:
    """The long line is refused, and the next one is answered."""
    good = json.dumps(WALL)
    long = '{"rows": ["' + "." * 17_000_000 + '"]}'
    done = sapper("analyze", "--json", stdin=f"{good}\n{long}\n{good}\n")
    assert_refused(done, "line 2: longer than")
    assert [answer.get("solutions") for answer in done.json] == ["2", None, "2"]


@pytest.mark.parametrize("arguments", [["--json"], []])
def test_broken_pipe_ends_the_program_silently(arguments: list[str]) -> None:
    """The exit status is the one that shells use for a broken pipe."""
    text = (json.dumps(WALL) + "\n").encode() * 5000
    with subprocess.Popen(
        [PROGRAM, "analyze", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        try:
            running.stdin.write(text)
            running.stdin.close()
        except BrokenPipeError:
            pass
        assert running.wait(300) == 141
        assert running.stderr.read() == b""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_full_disk_error_is_one_line(unbuffered: str) -> None:
    """A failed write prints an error instead of a traceback, and only once if Python buffers it."""
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [PROGRAM, "generate"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        )
    assert done.returncode == 2
    assert done.stderr == "sapper: no space left on device\n"


def test_interrupt_exits_with_status_130() -> None:
    """Ctrl-C during reading prints nothing."""
    with subprocess.Popen(
        [PROGRAM, "analyze", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdin.write(json.dumps(WALL).encode() + b"\n")
        running.stdin.flush()
        # The first answer shows that the program is waiting for the next line.
        assert running.stdout.readline()
        os.kill(running.pid, signal.SIGINT)
        assert running.wait(300) == 130
        assert running.stderr.read() == b""
