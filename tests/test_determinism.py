"""Tests give the same result on every run, however busy the machine is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from sapper import Game

TESTS = Path(__file__).parent
FILES = sorted(
    path for path in TESTS.rglob("*.py") if path.name != "waiting.py" and "fuzz" not in path.parts
)
CLOCKS = {"monotonic", "perf_counter", "sleep", "wait_for_timeout"}
"""Calls that make a test depend on time; what has to be waited for goes through `until`."""


def calls(path: Path) -> Iterator[str]:
    """The names of all functions and methods that a file calls."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            function = node.func
            yield getattr(function, "id", None) or getattr(function, "attr", "")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_sleeps_or_reads_a_clock(path: Path) -> None:
    """Speed is measured in benchmarks/, and waiting is for events."""
    assert CLOCKS.isdisjoint(calls(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_test_gives_up_early(path: Path) -> None:
    """A limit only ends a test that hangs: five minutes, in seconds or milliseconds."""
    limits = [
        keyword.value.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        for keyword in node.keywords
        if keyword.arg == "timeout" and isinstance(keyword.value, ast.Constant)
    ]
    assert set(limits) <= {300, 300_000}


def test_a_game_without_a_seed_has_that_of_the_test() -> None:
    """Another run of this test plays the same games."""
    assert [Game("beginner").seed for _ in range(2)] == [2400003520532918, 8029326164626759]


def test_properties_are_tried_on_the_same_examples_in_every_run() -> None:
    """Unless the profile `thorough` asks for new ones."""
    assert settings().deadline is None
    assert settings().derandomize == (settings().max_examples < 1000)
