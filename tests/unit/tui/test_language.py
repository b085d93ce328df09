"""The terminal game in other languages: all text on every screen is translated."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Select

from sapper.actions import ActionKind
from sapper.coach.trainer import FOCUSES
from sapper.dealer import RULES
from sapper.game import Status
from sapper.rules import LEVELS, Chord, FirstClick, Win
from sapper.solver.bots import bots
from sapper.translation import LANGUAGES, Catalogue, Text, catalogue, label_of
from sapper.translation.catalogues import PARTIAL
from sapper.tui import LOOKS, SapperApp
from sapper.tui import terminal_app as app_module
from sapper.tui.cell_styles import look_text
from sapper.tui.language import language_of
from support.terminal_app import board_of, move, play_app, settled, until
from support.terminal_screens import screen_text

_LETTER = re.compile(r"[A-Za-z]")
_PLACE_OR_LETTER = re.compile(r"\{\w+\}|[A-Za-z]")
# Not translated in any language: level and bot names as typed, and key names.
_KEPT = {*LEVELS, *bots, "space", "Space", "Esc", "esc", "Enter", "PgUp", "PgDn", "Home", "End"}
_WORD = re.compile(r"[A-Za-z]{2,}(?:-[A-Za-z]+)*")


class Runes(Mapping[str, tuple[str, ...]]):
    """A language that replaces every letter with the same rune."""

    def __getitem__(self, source: str) -> tuple[str, ...]:
        rune = _PLACE_OR_LETTER.sub(lambda at: at[0] if len(at[0]) > 1 else "ᚱ", source)
        return (rune, rune)

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __len__(self) -> int:
        return 0


def english_on(app: SapperApp) -> set[str]:
    """Return the words on the screen that are not runes."""
    return set(_WORD.findall(screen_text(app))) - _KEPT


@pytest.fixture(autouse=True)
def runes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Show runes in every language."""
    made = Catalogue("xx", 2, catalogue("en").forms, Runes())
    monkeypatch.setattr(app_module, "catalogue", lambda _: made)
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))


@pytest.mark.slow
def test_form_is_fully_translated() -> None:
    """Labels, choices and explanations of every rule set are translated."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        await pilot.press("m")
        for rules in RULES.values():
            app.screen.query_one("#rules", Select).value = rules.name
            first = f"#{rules.options[0].name}" if rules.options else "#first_click"
            await until(pilot, lambda first=first: app.screen.query(first))
            await pilot.pause()
            assert english_on(app) <= {"or"}, rules.name
            assert "ᚱ" in screen_text(app)

    play_app(play, (90, 36))


@pytest.mark.slow
def test_lost_game_is_fully_translated() -> None:
    """The check covers hints, proofs, overlays, the bot, the loss, the history and the replay."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        mine = board_of(app).mine_cells()[0]
        for key in (
            "question_mark",
            "escape",
            "enter",
            "h",
            "h",
            "h",
            "a",
            "a",
            "t",
            "b",
            "plus",
            "s",
        ):
            await pilot.press(key)
            await settled(app, pilot)
            assert not english_on(app), key
        await move(app, pilot, mine)
        await pilot.press("enter")
        await settled(app, pilot)
        assert app.table.game.over
        assert not english_on(app)
        for key in (
            "space",
            "h",
            "p",
            "g",
            "f",
            "f",
            "f",
            "enter",
            "right",
            "end",
            "question_mark",
        ):
            await pilot.press(key)
            await settled(app, pilot)
            assert not english_on(app), key

    play_app(play, (84, 30))


@pytest.mark.slow
def test_trainer_is_fully_translated() -> None:
    """The check covers the question, the mistake, its explanation and the list of keys."""

    async def play(app: SapperApp, pilot: Pilot[None]) -> None:
        for key in (
            "l",
            "n",
            "x",
            "h",
            "h",
            "question_mark",
            "escape",
            "n",
            "k",
            "t",
            "k",
            "enter",
        ):
            await pilot.press(key)
            await settled(app, pilot)
            assert not english_on(app), key

    play_app(play, (84, 30))


def test_everything_has_a_label() -> None:
    """Statuses, actions, choices, kinds of puzzles, and looks have labels in every language."""
    options = [option for rules in RULES.values() for option in rules.options]
    choices = [
        *(choice for kind in (Status, ActionKind, FirstClick, Win, Chord) for choice in kind),
        *options,
        *(choice for option in options for choice in option.choices),
    ]
    labels = [*map(label_of, choices), *FOCUSES.values(), *map(look_text, LOOKS)]
    for language in LANGUAGES:
        if language != "en" and language not in PARTIAL:
            assert not untranslated(labels, catalogue(language))


def untranslated(labels: Iterable[Text], words: Catalogue) -> list[str]:
    """Return the labels that a catalogue does not translate."""
    return [label for label in labels if label.source not in words.messages]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "cs_CZ.UTF-8"}, "cs"),
        ({"LANG": "pl"}, "pl"),
        ({"LANG": "tl_PH.UTF-8"}, "fil"),
        ({"LANG": "ja_JP.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "de_AT@euro"}, "de"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
        ({"LANG": "en_GB.UTF-8", "LANGUAGE": "sk:pl:de"}, "pl"),
        ({"LANG": "POSIX", "LANGUAGE": "pl"}, "en"),
    ],
)
def test_language_of_an_environment(environment: dict[str, str], language: str) -> None:
    """LC_ALL precedes LC_MESSAGES and LANG; LANGUAGE precedes all, except in the C locale."""
    assert language_of(environment) == language
