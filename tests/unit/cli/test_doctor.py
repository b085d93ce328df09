"""``sapper doctor``: the state of an installation, and how to fix it."""

from __future__ import annotations

import shutil
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from sapper.cli import checks, probes
from support.program import sapper

MODULES = [module for _, modules in checks.EXTRAS.values() for module in modules]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without extras, browser, terminal or display; returns the games folder."""
    for module in MODULES:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "games"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(probes.webbrowser, "get", _no_browser)
    return tmp_path / "games"


def _no_browser() -> object:
    raise probes.webbrowser.Error("could not locate runnable browser")


def test_missing_optional_parts_have_a_fix_and_do_not_fail(bare: Path) -> None:
    """Every missing part has a one-line fix, and the exit status is 0."""
    done = sapper("doctor")
    assert done.code == 0
    assert "Sapper works here. Optional and missing: " in done.out
    for extra in checks.EXTRAS:
        assert f"fix: pip install '.[{extra}]'" in done.out
    lines = done.out.splitlines()
    missing = [at for at, line in enumerate(lines) if line.startswith("missing")]
    assert len(missing) >= len(checks.EXTRAS) + 3
    assert all(lines[at + 1].strip().startswith("fix: ") for at in missing)
    assert not bare.exists()


def test_json_output_has_the_same_checks(bare: Path) -> None:
    """The object gives the state of each check, and a fix for every failure."""
    [told] = sapper("doctor", "--json").json
    assert told["ok"] is True
    states = {check["name"]: check["state"] for check in told["checks"]}
    assert {states[f"extra {extra}"] for extra in checks.EXTRAS} == {"missing"}
    assert [states[name] for name in ("python", "engine", "saved games", "web app")] == ["ok"] * 4
    assert all(bool(check["fix"]) == (check["state"] != "ok") for check in told["checks"])


def test_unwritable_folder_is_a_failure(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The exit status is 1, and the fix mentions SAPPER_HOME."""
    bare.write_text("a file where the folder should be")
    done = sapper("doctor")
    assert done.code == 1
    assert "broken   saved games" in done.out
    assert "set SAPPER_HOME to a folder that you may write to" in done.out
    assert "Sapper does not work here: saved games." in done.out


def test_mismatched_core_version_is_a_failure(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted installation leaves an old core behind; both versions are shown."""
    monkeypatch.setattr(checks.metadata, "version", lambda name: "0.0.0")
    done = sapper("doctor")
    assert done.code == 1
    assert "the package is 0.0.0" in done.out


def test_every_extra_of_the_package_is_checked() -> None:
    """Every extra for users is checked, and those that are installed work."""
    project = Path(__file__).parents[3] / "pyproject.toml"
    declared = tomllib.loads(project.read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(checks.EXTRAS) == set(declared) - {"test", "bench", "dev", "docs"}
    name, (purpose, modules) = next(iter(checks.EXTRAS.items()))
    check = checks._extra(name, purpose, modules, full=True)
    assert check.state is checks.CheckState.OK, check
    assert check.fix == ""


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Path]:
    """Create a command; no others exist, and the first one opens pages."""
    command: list[str] = []
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(probes.webbrowser, "get", lambda: probes.webbrowser.GenericBrowser(command))

    def write(name: str, script: str) -> Path:
        path = tmp_path / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        command[:] = command or [name, "%s"]
        return path

    return write


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system has a browser")
def test_browser_must_start_to_be_ok(command: Callable[..., Path]) -> None:
    """The commands that open the default browser print nothing if there is none."""
    command("xdg-open", "exit 0")
    settings = command("xdg-settings", "echo chromium.desktop")
    check = checks._browser(full=True)
    assert (check.state, check.result) == (checks.CheckState.MISSING, "xdg-open finds no browser")
    chromium = command("chromium", "echo no such library >&2; exit 127")
    check = checks._browser(full=True)
    assert check.state is checks.CheckState.MISSING
    assert check.result == f"{chromium} does not start: no such library"
    assert "on any machine" in check.fix
    command("chromium", 'case "$*" in *--headless*about:blank) exit 0;; esac; exit 1')
    check = checks._browser(full=True)
    assert (check.state, check.result) == (checks.CheckState.OK, f"{chromium} starts")
    chromium.unlink()
    settings.unlink()
    firefox = command("firefox", 'case "$*" in *--headless*--screenshot*) exit 0;; esac; exit 1')
    assert checks._browser(full=True).result == f"{firefox} starts"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system has a browser")
def test_browser_without_headless_mode_is_not_tried(
    command: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser that was not tried is neither ok nor missing, and the summary says so."""
    browser = command("falkon", "exit 0")
    check = checks._browser(full=True)
    assert (check.state, check.result) == (checks.CheckState.UNTRIED, f"{browser}, not tried")
    assert check.fix.startswith("run sapper play, or ")
    # Another check starts a browser.
    monkeypatch.setattr(checks, "EXTRAS", {})
    assert "Not tried: browser" in sapper("doctor", "--full").out


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system has a browser")
def test_text_browser_cannot_run_the_web_app(command: Callable[..., Path]) -> None:
    """Python falls back to a text browser if there is no other."""
    command("w3m", "exit 0")
    assert checks._browser(full=True).result == "w3m cannot run the web app"


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system has a browser")
def test_nothing_is_started_by_default(
    command: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Browsers, terminals and the display take long, so they are only looked for."""

    def started(*_: object, **__: object) -> str:
        raise AssertionError("something was started")

    for probe in ("_run", "display", "terminal", "bot_browser", "desktop"):
        monkeypatch.setattr(probes, probe, started)
    monkeypatch.setattr(checks, "_PROBES", dict.fromkeys(checks._PROBES, (started, "")))
    monkeypatch.setattr(checks.importlib, "import_module", _imported)
    chromium = command("chromium", "exit 1")
    monkeypatch.setenv("DISPLAY", ":4711")
    told = sapper("doctor")
    assert told.code == 0
    assert f"untried  browser       {chromium}, not started" in told.out
    assert "untried  display       :4711, not tried" in told.out
    assert told.out.count("fix: sapper doctor --full tries it") >= 3
    assert told.out.endswith(" sapper doctor --full tries everything.\n")


def _imported(name: str) -> None:
    """Extras take seconds to import."""
    assert name in ("starlette", "uvicorn", "websockets")


@pytest.mark.slow
def test_browser_for_bots_is_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """To play on web pages, bots need a browser as well as the library."""
    pytest.importorskip("playwright", reason="playwright is not installed")
    from sapper.vision.browser.launch import installed_browser

    def extra() -> checks.Check:
        return checks._extra("browser", *checks.EXTRAS["browser"], full=True)

    if installed_browser() is not None:
        assert extra().state is checks.CheckState.OK
        assert "starts" in extra().result
    monkeypatch.setenv("SAPPER_CHROMIUM", str(shutil.which("false")))
    assert extra().state is checks.CheckState.MISSING
    assert extra().fix.startswith("playwright install chromium")


def test_separate_terminal_is_tried() -> None:
    """The doctor tries a pseudo-terminal, in which bots play terminal games."""
    pytest.importorskip("pyte", reason="pyte is not installed")
    assert probes.terminal() == "a terminal of its own works"


# python-xlib leaves this socket open when no display answers.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_unresponsive_display_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the library that connects to the display, the display is not tested."""
    pytest.importorskip("Xlib", reason="python-xlib is not installed")
    monkeypatch.setenv("DISPLAY", ":4711")
    assert checks._display(full=True).state is checks.CheckState.MISSING
    monkeypatch.delitem(sys.modules, "sapper.vision.x11.screen", raising=False)
    monkeypatch.delitem(sys.modules, "sapper.vision.x11", raising=False)
    monkeypatch.setitem(sys.modules, "Xlib", None)
    monkeypatch.setitem(sys.modules, "Xlib.display", None)
    check = checks._display(full=True)
    assert (check.state, check.result) == (checks.CheckState.UNTRIED, ":4711, not tried")
