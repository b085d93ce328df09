"""Finding the elements of a page that start a game, from their text."""

from __future__ import annotations

import pytest

pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

from sapper.vision.browser.controls import Control, closing_ways, find_text, new_game_ways


def control(text: str, names: str = "", *, button: bool = True, x: float = 0) -> Control:
    """A control of the usual size."""
    return Control(text, names, button, x, 20, 80, 30)


def test_shortest_new_game_text_comes_first() -> None:
    """Explanations and other buttons are ignored; faces are clicked directly."""
    controls = [
        control("Settings"),
        control("A new game starts when you press the button below", button=False),
        control("Start a new game"),
        control("Restart"),
        control("🙂", x=50),
        control("", "btn-reset", x=70),
    ]
    assert new_game_ways(controls, 2.0) == [
        'click "Restart"',
        'click "Start a new game"',
        "click 100 40",
        "click 140 40",
    ]


def test_dialog_is_closed_by_escape_or_a_close_button() -> None:
    """Longer text that contains a word for closing, and other elements, are ignored."""
    controls = [
        control("Close"),
        control("OK", button=False),
        control("Enclosed board"),
        control("×"),
        control("Fermer"),
        control("Okay"),
    ]
    assert closing_ways(controls, 1.0) == [
        "key Escape",
        'click "Close"',
        'click "×"',
        'click "Fermer"',
    ]


def test_close_button_is_recognised_by_name() -> None:
    """The text may be a dash or empty; other buttons that close something say so."""
    controls = [
        control("–", "result close", x=50),
        control("", "btn-close Dismiss", x=70),
        control("-", "smaller", x=90),
        control("Menu", "close-menu", x=99),
    ]
    assert closing_ways(controls, 2.0) == ["key Escape", "click 100 40", "click 140 40"]


def test_levels_are_used_only_on_a_start_page() -> None:
    """During play, level buttons are ignored because they would change the board."""
    controls = [control("Easy"), control("Neues Spiel")]
    assert new_game_ways(controls, 1.0) == ['click "Neues Spiel"']
    assert new_game_ways(controls, 1.0, menu=True)[1:] == ['click "Easy"']


def test_full_text_match_comes_before_partial() -> None:
    """A button takes precedence over a heading with the same text."""
    heading, button = control("Play", button=False), control("Play")
    assert find_text([control("Play later"), heading, button], "play") == button
    assert find_text([control("Play later")], "play") is not None
    assert find_text([heading], "quit") is None
