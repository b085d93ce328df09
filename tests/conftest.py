"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import Callable

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
