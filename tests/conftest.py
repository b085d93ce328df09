"""Fixtures for all tests."""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Callable
from multiprocessing import forkserver
from multiprocessing.context import BaseContext

import pytest

from sapper.position import Position
from sapper.solver import Analysis, exact, reference

ANALYZERS: dict[str, Callable[[Position], Analysis]] = {
    "reference": reference.analyze,
    "native": exact.analyze,
}


@pytest.fixture(params=ANALYZERS, scope="session")
def analyze(request: pytest.FixtureRequest) -> Callable[[Position], Analysis]:
    """Each exact engine in turn, so that every analysis test runs on both."""
    return ANALYZERS[request.param]


@pytest.fixture(scope="session")
def forking() -> BaseContext:
    """A context that forks worker processes with all modules, which saves half a second each.

    Where the system cannot fork, it starts them as usual.
    """
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["support.forkable"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
        forkserver.ensure_running()
    return context
