"""Fixtures for all tests, and the rule that nothing is skipped in CI."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from sapper.position import Position
from sapper.solver import Analysis, exact, reference

ANALYZERS: dict[str, Callable[[Position], Analysis]] = {
    "reference": reference.analyze,
    "native": exact.analyze,
}


@pytest.fixture(params=ANALYZERS, scope="session")
def analyze(request: pytest.FixtureRequest) -> Callable[[Position], Analysis]:
    """Each exact engine in turn: every test of an analysis runs on both."""
    return ANALYZERS[request.param]


@pytest.fixture(autouse=True, scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test, and no program that one starts, leaves anything in the user's own folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SAPPER_HOME", str(tmp_path_factory.mktemp("sapper-home")))
        yield


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """A test skipped in CI fails the run: there, everything that a test needs is installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI", "").lower() in ("", "0", "false") or reporter is None:
        return
    if reporter.stats.get("skipped") and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why the run failed, where skipped tests are the only reason; -ra lists them."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped and os.environ.get("CI", "").lower() not in ("", "0", "false"):
        terminalreporter.section("skipped in CI", red=True)
        terminalreporter.line(f"{len(skipped)} tests were skipped; in CI that is a failure")
