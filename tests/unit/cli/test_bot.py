"""Errors of `sapper bot` before it looks for a screen."""

from __future__ import annotations

import sys

import pytest

from sapper.cli.bot_screen import ScreenChoice, ScreenKind
from sapper.errors import BadSetting
from support.program import sapper


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--url", "http://127.0.0.1:9/", "--window", "x"], "cannot be used together"),
        (["--screen", "browser"], "--screen browser needs --url"),
        (["--url", "http://127.0.0.1:9/", "--screen", "x11"], "not with --screen x11"),
        (["--visible"], "need --url"),
        (["--terminal", "freesweep", "--board", "2"], "--terminal and --board cannot be used"),
        (["--terminal", "freesweep", "--new-game", "key n"], "--terminal and --new-game cannot"),
        (["--log", __file__], "--log needs a directory, and"),
        (["--new-game", "press it"], "got 'press it'"),
        (["--new-game", "click"], "a new game must start by key K"),
    ],
)
def test_bad_options_are_rejected(options: list[str], message: str) -> None:
    """The error is one line, and the exit status is 2."""
    done = sapper("bot", *options)
    assert done.code == 2
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def choice(kind: ScreenKind | None = None, url: str | None = None) -> ScreenKind:
    """Return the chosen screen."""
    return ScreenChoice.of(kind, url, False, None, None, None).kind


@pytest.mark.parametrize(
    ("system", "display", "kind"),
    [
        ("linux", ":0", ScreenKind.X11),
        ("linux", "", ScreenKind.X11),
        ("win32", "", ScreenKind.DESKTOP),
        ("darwin", "", ScreenKind.DESKTOP),
        ("darwin", ":0", ScreenKind.DESKTOP),
    ],
)
def test_screen_backend_matches_the_system(
    monkeypatch: pytest.MonkeyPatch, system: str, display: str, kind: ScreenKind
) -> None:
    """X11 lists windows; Windows and macOS have only one backend."""
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setenv("DISPLAY", display)
    assert choice() is kind
    assert choice(url="http://127.0.0.1/") is ScreenKind.BROWSER
    assert choice(ScreenKind.DESKTOP) is ScreenKind.DESKTOP
    with pytest.raises(BadSetting):
        choice(ScreenKind.DESKTOP, "http://127.0.0.1/")
