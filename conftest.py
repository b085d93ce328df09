"""Settings for all tests and all examples in the docs.

Tests get a temporary home folder, fixed seeds, markers by folder and a shared PostgreSQL server; a
skipped test fails the run in CI.
"""

from __future__ import annotations

import gc
import os
import random
import secrets
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Make failed assertions in test helpers show both values, as they do in tests.
pytest.register_assert_rewrite("support")

_MARKERS = {"e2e": "browser", "e2e_windows": "windows"}
_TESTS = Path(__file__).parent / "tests"


def _in_ci() -> bool:
    return os.environ.get("CI", "").lower() not in ("", "0", "false")


# Set no deadline: how long an example takes depends on how busy the machine is.
settings.register_profile(
    "full",
    max_examples=100,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("ci", settings.get_profile("full"), max_examples=30)
settings.register_profile("default", settings.get_profile("full"), max_examples=15)
settings.register_profile(
    "thorough", settings.get_profile("full"), max_examples=1000, derandomize=False
)
settings.load_profile("ci" if _in_ci() else "default")


# Tests start hundreds of programs, so keep bytecode caches on, or each would recompile the package.
# Set before any test process starts, because they inherit it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# The test processes use all cores. The threads of the linear algebra library spend more time
# waiting for each other than computing, and the last digits of a product would depend on how many
# there are.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


# A shell's background job ignores Ctrl-C, and the programs that tests interrupt would inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run one more process than there are cores, because a process with a browser mostly waits."""
    return len(os.sched_getaffinity(0)) + 1 if hasattr(os, "sched_getaffinity") else 3


def pytest_configure(config: pytest.Config) -> None:
    """Choose a folder for PostgreSQL, which is started by the first test that needs it."""
    if not hasattr(config, "workerinput"):
        from support import postgresql

        postgresql.shared_folder()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stop PostgreSQL if a test started it."""
    if not hasattr(config, "workerinput"):
        from support import postgresql

        postgresql.stop_shared()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Mark tests by the folder they are in, and spread those that mostly wait among the others."""
    for item in items:
        if item.path.is_relative_to(_TESTS):
            folder = item.path.relative_to(_TESTS).parts[0]
            if folder in _MARKERS:
                item.add_marker(_MARKERS[folder])
    _leave_to_the_night(items)
    yield
    # Each process gets a part of the list, and window tests need little processor time. They are
    # long, so none comes last.
    windows = [item for item in items if item.get_closest_marker("windows")]
    others = [item for item in items if not item.get_closest_marker("windows")]
    if windows and others:
        share = 0.85 * len(others) / len(windows)
        for number, item in enumerate(windows):
            others.insert(number + int(number * share), item)
        items[:] = others


def _leave_to_the_night(items: list[pytest.Item]) -> None:
    """Mark the cases of each `family` that are not needed to cover its values as `nightly`."""
    from support.families import covering

    families = defaultdict[tuple[Path, str], list[pytest.Function]](list)
    for item in items:
        if isinstance(item, pytest.Function) and item.get_closest_marker("family"):
            families[item.path, item.originalname].append(item)
    for family in families.values():
        cases = [tuple(map(repr, item.callspec.params.values())) for item in family]
        daily = [item.get_closest_marker("slow") is None for item in family]
        for item, is_chosen in zip(family, covering(cases, daily), strict=True):
            if not is_chosen:
                item.add_marker("nightly")


def pytest_collection_finish() -> None:
    """Exclude the collected tests and modules from garbage collection."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Set a SAPPER_HOME for each test process, so that tests leave the user's folder alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SAPPER_HOME", str(tmp_path_factory.mktemp("sapper-home")))
        yield


@pytest.fixture(autouse=True)
def _fixed_seeds(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Derive the seeds of games without a given seed from the test's name."""
    monkeypatch.setattr(secrets, "randbits", random.Random(request.node.nodeid).getrandbits)


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """Fail the run in CI if a test was skipped, because CI has everything that tests need."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if not _in_ci() or reporter is None:
        return
    if reporter.stats.get("skipped") and exitstatus == pytest.ExitCode.OK:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Report that the run failed because tests were skipped; -ra lists them."""
    skipped = terminalreporter.stats.get("skipped", [])
    if skipped and _in_ci():
        terminalreporter.section("skipped in CI", red=True)
        terminalreporter.line(f"{len(skipped)} tests were skipped; in CI that is a failure")
