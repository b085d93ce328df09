"""The checks of `sapper doctor`: which parts of Sapper work on this machine."""

from __future__ import annotations

import importlib
import importlib.util
import os
import shutil
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Final

from sapper import _core, solver
from sapper._util.installing import pip_install
from sapper._util.shortening import shortened
from sapper.cli import probes
from sapper.errors import MissingExtra
from sapper.paths import state_dir
from sapper.plugins import load_plugins
from sapper.position import Position

__all__ = ["EXTRAS", "Check", "CheckState", "checks"]

EXTRAS: Final = {
    "lab": ("runs of bots, plots and reports", ("pyarrow", "matplotlib")),
    "dask": ("runs on a cluster", ("distributed",)),
    "env": ("Gymnasium environments", ("gymnasium",)),
    "tui": ("play in the terminal", ("textual",)),
    "accounts": ("names with passkeys", ("webauthn", "confusable_homoglyphs")),
    "sso": ("single sign-on", ("authlib", "joserfc", "httpx", "confusable_homoglyphs")),
    "metrics": ("figures for Prometheus", ("prometheus_client",)),
    "postgresql": ("saved games in PostgreSQL", ("psycopg",)),
    "workers": ("several server processes", ("redis",)),
    "vision": ("bots in other programs", ("PIL", "Xlib", "pyte", "ptyprocess")),
    "browser": ("bots on web pages", ("playwright",)),
    "desktop": ("bots on any desktop", ("mss",) if sys.platform == "linux" else ("mss", "pynput")),
}
"""Optional parts, each with its purpose and required modules."""

_PROBES: Final[dict[str, tuple[Callable[[], str], str]]] = {
    "vision": (probes.terminal, "play windows and web pages instead of terminals"),
    "browser": (
        probes.bot_browser,
        "playwright install chromium, or set SAPPER_CHROMIUM to the path of a Chromium",
    ),
    "desktop": (probes.desktop, "start sapper from a terminal on the desktop that it plays on"),
}
"""Extras that need more than Python modules, each with a probe and advice if it fails."""
_FULL: Final = "sapper doctor --full tries it"
_OLDEST: Final = (3, 11)
_PORT: Final = 8000
_SMALLEST: Final = (40, 20)
_PROBE: Final = "\n".join(("..", "11"))


class CheckState(StrEnum):
    """The result of a check."""

    OK = "ok"
    MISSING = "missing"
    """An optional part does not work; everything else does."""
    UNTRIED = "untried"
    """An optional part could not be tried without showing a window or without another part."""
    BROKEN = "broken"
    """A required part does not work."""


@dataclass(frozen=True, slots=True)
class Check:
    """The result of one check.

    Attributes:
        name: Short name of the part.
        state: Whether it works.
        result: The finding, as text.
        fix: A one-line fix; empty if it works.
    """

    name: str
    state: CheckState
    result: str
    fix: str = ""

    def to_json(self) -> dict[str, str]:
        """Return the JSON form."""
        return {"name": self.name, "state": self.state, "found": self.result, "fix": self.fix}


def checks(*, full: bool = False) -> Iterator[Check]:
    """Run every check.

    Args:
        full: Whether to start browsers and terminals, to take screenshots, and to import every
            extra, which takes much longer; otherwise only check that these are present.
    """
    yield _python()
    yield _engine()
    yield from _plugins()
    yield _home()
    yield _web_app()
    yield _port()
    yield _browser(full=full)
    yield _terminal()
    yield _display(full=full)
    for name, (purpose, modules) in EXTRAS.items():
        yield _extra(name, purpose, modules, full=full)


def _python() -> Check:
    result = f"{sys.version.split()[0]} at {sys.executable}"
    if sys.version_info >= _OLDEST:
        return Check("python", CheckState.OK, result)
    least = ".".join(map(str, _OLDEST))
    return Check("python", CheckState.BROKEN, result, f"install Python {least} or later")


def _engine() -> Check:
    """Check that the native core works and matches the installed package."""
    version = _core.__version__
    with_total = Position.parse(_PROBE, mines=1)
    if solver.analyze(with_total).solutions != 2:
        return Check(
            "engine", CheckState.BROKEN, "counts wrongly", "pip install --force-reinstall ."
        )
    try:
        package = metadata.version("sapper")
    except metadata.PackageNotFoundError:
        package = version
    if package != version:
        result = f"the core is {version}, the package is {package}"
        return Check("engine", CheckState.BROKEN, result, "pip install --force-reinstall .")
    return Check("engine", CheckState.OK, f"sapper {version}")


def _plugins() -> Iterator[Check]:
    """Check that every plugin can be loaded."""
    plugins = load_plugins()
    loaded = [plugin.name for plugin in plugins if not plugin.problem]
    if loaded:
        yield Check("plugins", CheckState.OK, ", ".join(loaded))
    fix = "repair or remove it, or set SAPPER_PLUGINS=none to skip all plugins"
    for plugin in plugins:
        if plugin.problem:
            yield Check("plugin", CheckState.MISSING, f"skipped: {plugin.problem}", fix)


def _home() -> Check:
    """Check that an SQLite file can be written to the saved-game folder or its nearest parent."""
    folder = state_dir()
    try:
        place = next(path for path in (folder, *folder.parents) if path.exists())
        with tempfile.TemporaryDirectory(prefix="sapper-doctor-", dir=place) as probe:
            with closing(sqlite3.connect(Path(probe) / "probe.sqlite")) as store, store:
                store.execute("CREATE TABLE probe (cell)")
            store.close()
    except (OSError, sqlite3.Error) as problem:
        fix = "set SAPPER_HOME to a folder that you may write to"
        return Check("saved games", CheckState.BROKEN, f"cannot write to {folder}: {problem}", fix)
    return Check("saved games", CheckState.OK, str(folder))


def _web_app() -> Check:
    problem = _problem_of(("starlette", "uvicorn", "websockets"))
    if problem:
        return Check("web app", CheckState.BROKEN, problem, "pip install --force-reinstall .")
    return Check("web app", CheckState.OK, _versions(("starlette", "uvicorn", "websockets")))


def _port() -> Check:
    try:
        with socket.create_server(("127.0.0.1", _PORT)):
            return Check("port", CheckState.OK, f"{_PORT} is free")
    except OSError as problem:
        reason = (problem.strerror or str(problem)).lower()
        return Check("port", CheckState.MISSING, f"{_PORT}: {reason}", "sapper play --port 0")


def _browser(*, full: bool) -> Check:
    """Check the browser for `sapper play`."""
    fix = "open the address that sapper play prints in a browser on any machine"
    try:
        found = probes.web_browser(start=full)
    except probes.NotTried as problem:
        return Check("browser", CheckState.UNTRIED, _line(problem), f"run sapper play, or {fix}")
    except probes.Unavailable as problem:
        return Check("browser", CheckState.MISSING, _line(problem), fix)
    if not full:
        return Check("browser", CheckState.UNTRIED, f"{found}, not started", _FULL)
    return Check("browser", CheckState.OK, found)


def _terminal() -> Check:
    encoding = (getattr(sys.stdout, "encoding", None) or "none").lower()
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return Check("terminal", CheckState.MISSING, "no terminal", "run sapper tui in a terminal")
    columns, lines = shutil.get_terminal_size()
    result = f"{columns} columns, {lines} lines, {encoding}"
    if os.environ.get("TERM") == "dumb" or "utf" not in encoding:
        fix = "use a terminal with UTF-8 and cursor keys, such as xterm-256color"
        return Check("terminal", CheckState.MISSING, result, fix)
    if columns < _SMALLEST[0] or lines < _SMALLEST[1]:
        fix = f"enlarge the window to {_SMALLEST[0]} columns and {_SMALLEST[1]} lines"
        return Check("terminal", CheckState.MISSING, result, fix)
    return Check("terminal", CheckState.OK, result)


def _display(*, full: bool) -> Check:
    """Check the X11 screen where bots play other programs."""
    name = os.environ.get("DISPLAY")
    if not name:
        fix = "start an X server, for example Xvfb :1, and set DISPLAY=:1"
        return Check("display", CheckState.MISSING, "no X11 screen (DISPLAY is not set)", fix)
    if not full:
        return Check("display", CheckState.UNTRIED, f"{name}, not tried", _FULL)
    try:
        return Check("display", CheckState.OK, probes.display(name))
    except MissingExtra:
        fix = f"{pip_install('vision')}, which tries it"
        return Check("display", CheckState.UNTRIED, f"{name}, not tried", fix)
    except Exception as problem:
        fix = "set DISPLAY to a running X server with the extension XTEST"
        return Check("display", CheckState.MISSING, f"{name}: {_line(problem)}", fix)


def _extra(name: str, purpose: str, modules: tuple[str, ...], *, full: bool) -> Check:
    label, fix = f"extra {name}", pip_install(name)
    problem = _problem_of(modules) if full else _not_installed(modules)
    if problem:
        if "not installed" not in problem:
            fix = f"it may need a display; or {pip_install(name, force=True)}"
        return Check(label, CheckState.MISSING, f"{purpose}: {problem}", fix)
    result = f"{purpose}: {_versions(modules)}"
    if name not in _PROBES:
        return Check(label, CheckState.OK, result)
    if not full:
        return Check(label, CheckState.UNTRIED, result, _FULL)
    probe, fix = _PROBES[name]
    try:
        return Check(label, CheckState.OK, f"{result}; {probe()}")
    except Exception as failed:
        return Check(label, CheckState.MISSING, f"{purpose}: {_line(failed)}", fix)


def _problem_of(modules: Iterable[str]) -> str:
    """Return the first module that cannot be imported, with the reason; empty if all can."""
    for name in modules:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            return f"{name} is not installed"
        except Exception as problem:
            return f"{name} cannot be imported: {_line(problem)}"
    return ""


def _not_installed(modules: Iterable[str]) -> str:
    """Return the first module that does not exist, without importing any; empty if all do."""
    for name in modules:
        if importlib.util.find_spec(name) is None:
            return f"{name} is not installed"
    return ""


_packages = cache(metadata.packages_distributions)


def _versions(modules: Iterable[str]) -> str:
    names = [_packages().get(module, [module])[0] for module in modules]
    return ", ".join(f"{name} {metadata.version(name)}" for name in names)


def _line(problem: Exception) -> str:
    return shortened(" ".join(str(problem).split()) or type(problem).__name__, 200)
