"""Tests give the same result in every run, however busy the machine is."""

from __future__ import annotations

import ast
from pathlib import Path

from hypothesis import settings

from sapper import Game

TESTS = Path(__file__).parent
CLOCKS = {"monotonic", "perf_counter", "sleep", "wait_for_timeout"}
"""Calls that make a test depend on time; what has to be waited for goes through `until`."""
HURRIED = {"httpx.Client", "httpx.get", "httpx.post"}
"""Calls that give up after five seconds unless they are told otherwise."""


def test_no_test_sleeps_reads_a_clock_or_gives_up_early() -> None:
    """Time limits only end a hanging test, so they are five minutes, in seconds or milliseconds."""
    calls = [
        (f"{path.relative_to(TESTS)}:{node.lineno}", node)
        for path in sorted(TESTS.rglob("*.py"))
        if path.name != "waiting.py" and "fuzz" not in path.parts
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
    ]
    found = []
    for place, call in calls:
        name = getattr(call.func, "id", None) or getattr(call.func, "attr", "")
        # Sleeping for zero seconds only yields to other tasks.
        if name in CLOCKS and ast.unparse(call) != "asyncio.sleep(0)":
            found.append(f"{place}: {name}")
        given = {keyword.arg for keyword in call.keywords}
        if ast.unparse(call.func) in HURRIED and "timeout" not in given:
            found.append(f"{place}: {name} without a timeout")
        for keyword in call.keywords:
            if keyword.arg == "timeout" and isinstance(keyword.value, ast.Constant):
                limit = keyword.value.value
                if limit not in (300, 300_000):
                    found.append(f"{place}: timeout={limit}")
    assert len(calls) > 10_000
    assert not found, "\n".join(found)


def test_every_database_that_a_test_opens_is_closed() -> None:
    """A `with` block on an SQLite connection ends the transaction but leaves the file open.

    Python 3.13 reports such a connection when it is garbage-collected, which may be in any later
    test.
    """
    found = [
        f"{path.relative_to(TESTS)}:{item.context_expr.lineno}"
        for path in sorted(TESTS.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.With)
        for item in node.items
        if ast.unparse(item.context_expr).startswith("sqlite3.connect(")
    ]
    assert not found, "\n".join(found)


def test_a_game_without_a_seed_has_that_of_the_test() -> None:
    """Running this test again plays the same games."""
    assert [Game("beginner").seed for _ in range(2)] == [2400003520532918, 8029326164626759]


def test_property_tests_use_the_same_examples_in_every_run() -> None:
    """Only the `thorough` profile draws new examples."""
    assert settings().deadline is None
    assert settings().derandomize == (settings().max_examples < 1000)
