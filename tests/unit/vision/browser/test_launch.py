"""Choosing the browser to start."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from sapper.vision.browser.launch import installed_browser


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with all available programs."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("SAPPER_CHROMIUM", raising=False)
    return tmp_path


def _program(folder: Path, name: str) -> Path:
    path = folder / name
    path.touch(mode=0o755)
    return path


def test_missing_browser_gives_none(programs: Path) -> None:
    """Programs other than browsers are ignored."""
    _program(programs, "firefox")
    assert installed_browser() is None


def test_headless_browser_is_enough_without_a_window(programs: Path) -> None:
    """A browser that opens windows is preferred, and required if a window is needed."""
    shell = _program(programs, "chromium-headless-shell")
    assert installed_browser() == shell
    assert installed_browser(visible=True) is None
    whole = _program(programs, "chromium")
    assert installed_browser() == installed_browser(visible=True) == whole


def test_named_browser_comes_first(programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names that are not programs are skipped."""
    whole, own = _program(programs, "chromium"), _program(programs, "my-own")
    monkeypatch.setenv("SAPPER_CHROMIUM", str(own))
    assert installed_browser() == own
    monkeypatch.setenv("SAPPER_CHROMIUM", "missing")
    assert installed_browser() == whole
