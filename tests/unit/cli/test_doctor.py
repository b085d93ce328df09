"""``sapper doctor``: what works on a machine, and what to do about the rest."""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path

import pytest

from sapper.cli import checks
from support.program import sapper

MODULES = [module for _, modules in checks.EXTRAS.values() for module in modules]


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A machine without extras, browser, terminal and display; gives the folder for games."""
    for module in MODULES:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "games"))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.setattr(checks.webbrowser, "get", _no_browser)
    return tmp_path / "games"


def _no_browser() -> object:
    raise checks.webbrowser.Error("could not locate runnable browser")


def test_optional_parts_that_are_missing_have_a_fix_and_are_no_failure(bare: Path) -> None:
    """The exit status is 0, and every missing part is followed by one line on what to do."""
    done = sapper("doctor")
    assert done.code == 0
    assert "Sapper works here. Optional and missing: " in done.out
    for extra in checks.EXTRAS:
        assert f"fix: pip install 'sapper[{extra}]'" in done.out
    lines = done.out.splitlines()
    missing = [at for at, line in enumerate(lines) if line.startswith("missing")]
    assert len(missing) >= len(checks.EXTRAS) + 3
    assert all(lines[at + 1].strip().startswith("fix: ") for at in missing)
    assert not bare.exists()


def test_the_same_is_told_as_json(bare: Path) -> None:
    """One object, with the state of each check and a fix for all that do not work."""
    [told] = sapper("doctor", "--json").json
    assert told["ok"] is True
    states = {check["name"]: check["state"] for check in told["checks"]}
    assert {states[f"extra {extra}"] for extra in checks.EXTRAS} == {"missing"}
    assert [states[name] for name in ("python", "engine", "saved games", "web app")] == ["ok"] * 4
    assert all(bool(check["fix"]) == (check["state"] != "ok") for check in told["checks"])


def test_a_folder_that_cannot_be_written_is_a_failure(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The exit status is 1, and the fix names SAPPER_HOME."""
    bare.write_text("a file where the folder should be")
    done = sapper("doctor")
    assert done.code == 1
    assert "broken   saved games" in done.out
    assert "set SAPPER_HOME to a folder that you may write to" in done.out
    assert "Sapper does not work here: saved games." in done.out


def test_a_core_of_another_version_is_a_failure(
    bare: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is left behind by an installation that was interrupted, and is told with both versions."""
    monkeypatch.setattr(checks.metadata, "version", lambda name: "0.0.0")
    done = sapper("doctor")
    assert done.code == 1
    assert "the package is 0.0.0" in done.out


def test_every_extra_of_the_package_is_checked() -> None:
    """Those for users, that is; and what is installed here works."""
    project = Path(__file__).parents[3] / "pyproject.toml"
    declared = tomllib.loads(project.read_text("utf-8"))["project"]["optional-dependencies"]
    assert set(checks.EXTRAS) == set(declared) - {"test", "bench", "dev", "docs"}
    name, (purpose, modules) = next(iter(checks.EXTRAS.items()))
    found = checks._extra(name, purpose, modules)
    assert found.state is checks.State.OK, found
    assert found.fix == ""
