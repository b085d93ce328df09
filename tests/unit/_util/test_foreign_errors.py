"""Errors from code outside Sapper: locations, calls and unprintable values."""

import re
from pathlib import Path
from typing import Any

import pytest

from sapper._util.foreign_errors import defined_at, described, said, trace_of
from sapper._util.python_file import run_file
from sapper._util.shortening import shown
from sapper.errors import BadSetting
from sapper.position import Position

FILE = """
import json

def deep(left):
    if left:
        return deep(left - 1)
    return 1 / left

def read():
    return json.loads("{")

def translate():
    try:
        {}["x"]
    except KeyError as problem:
        raise RuntimeError("no x") from problem
"""


@pytest.fixture
def outside(tmp_path: Path) -> Any:
    """A module outside Sapper."""
    path = tmp_path / "outside.py"
    path.write_text(FILE)
    return run_file(path, "test")


def raised(call: Any, *arguments: object) -> BaseException:
    """Return the error that a call raises."""
    with pytest.raises(BaseException) as caught:  # noqa: PT011 (any)
        call(*arguments)
    trace = caught.value.__traceback__
    # Leave out this frame, because it is outside Sapper too.
    return caught.value.with_traceback(trace and trace.tb_next)


def test_place_is_the_innermost_line_of_the_user_file(outside: Any) -> None:
    """The location is in the user's file, even if a library that it called raised the error."""
    assert described(raised(outside.deep, 0)) == (
        "outside.py:7 in deep: ZeroDivisionError: division by zero"
    )
    assert described(raised(outside.read)).startswith("outside.py:10 in read: JSONDecodeError: ")


def test_paths_are_relative_to_the_working_directory(
    outside: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Paths are relative, as the user types them."""
    monkeypatch.chdir(tmp_path.parent)
    assert described(raised(outside.deep, 0)).startswith(f"{tmp_path.name}/outside.py:7 in deep: ")
    assert trace_of(raised(outside.deep, 0)).startswith(f"{tmp_path.name}/outside.py:7: in deep\n")
    assert defined_at(outside, "deep") == f"{tmp_path.name}/outside.py:4 in deep"


def test_trace_lists_calls_with_their_lines(outside: Any, tmp_path: Path) -> None:
    """A cause is listed before the error to which it led."""
    file = f"{tmp_path}/outside.py"
    assert trace_of(raised(outside.translate)) == (
        f"{file}:14: in translate\n"
        '    {}["x"]\n'
        "KeyError: 'x'\n"
        "Then:\n"
        f"{file}:16: in translate\n"
        '    raise RuntimeError("no x") from problem\n'
        "RuntimeError: no x"
    )


def test_long_traces_are_shortened_in_the_middle(outside: Any) -> None:
    """The first calls and the location of the error are kept."""
    trace = trace_of(raised(outside.deep, 100))
    assert "... 89 more calls" in trace.splitlines()
    assert trace.count(": in deep") == 12
    assert trace.endswith("    return 1 / left\nZeroDivisionError: division by zero")


def test_error_that_causes_itself_is_listed_once(outside: Any) -> None:
    """An error that is its own cause is shown once."""
    problem = raised(outside.deep, 0)
    problem.__cause__ = problem
    assert trace_of(problem).count("ZeroDivisionError") == 1


def test_sapper_errors_have_no_place() -> None:
    """Sapper's own errors give no location, because their text is enough."""
    problem = raised(Position.parse, "")
    assert described(problem) == str(problem)
    assert trace_of(problem) == ""
    assert described(BadSetting("no such bot")) == "no such bot"


class Hostile(BaseException):
    """An object that raises whenever it is printed."""

    def __str__(self) -> str:
        raise KeyboardInterrupt

    __repr__ = __str__


def test_unprintable_values_show_their_type() -> None:
    """An unprintable value is shown by its type, whatever its methods raise."""
    assert said(Hostile()) == "Hostile: its text cannot be shown (KeyboardInterrupt in __str__)"
    assert re.fullmatch(r"<Hostile .*>", shown(Hostile()))
    assert re.fullmatch(r"\[<Hostile .*>\]|<list object>", shown([Hostile()]))


def test_error_text_is_one_printable_line() -> None:
    """Error messages contain no terminal codes, and any file can store them."""
    assert said(ValueError("a\x1b[31m\ud800\nb")) == "ValueError: a?[31m?"
    assert len(said(ValueError("x" * 10**6))) < 250
    assert len(shown("x" * 10**6)) <= 80
    assert shown([1] * 10**6) == "[1, 1, 1, 1, …]"
    assert said(KeyError()) == "KeyError"


def test_builtins_have_no_place() -> None:
    """Built-in and missing methods have no location in a file."""
    assert defined_at([], "append") == ""
    assert defined_at(None, "choose") == ""
