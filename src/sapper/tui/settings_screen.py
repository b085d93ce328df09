"""The screen that asks for the settings of a new game."""

from __future__ import annotations

from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, Label, Select, Static

from sapper import dealer as dealers
from sapper.dealer import RULES
from sapper.errors import SapperError
from sapper.rules import LEVELS, Chord, Option, OptionValue, Settings

__all__ = ["SettingsScreen"]


class SettingsScreen(ModalScreen[Settings | None]):
    """Asks for level, rules, first click, win and the rule set's options; gives the settings."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss_none", "Cancel")]
    CSS = """
    SettingsScreen { align: center middle; }
    #form { width: 60; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
            background: $surface; border: round $primary; }
    #form Label { color: $text-muted; width: 1fr; }
    #problem { color: $text-error; height: auto; }
    #buttons { height: auto; }
    #extra { height: auto; }
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings

    def compose(self) -> ComposeResult:
        """Lay out the form."""
        now = self._settings
        with VerticalScroll(id="form"):
            yield Label(f"Level: {', '.join(LEVELS)}, 20x10:30, 20x10@0.15, 9x9:10/torus")
            yield Input(str(now.level), id="level", compact=True)
            yield Label("Rules")
            yield Select(
                [(name, name) for name in RULES],
                value=now.rules,
                allow_blank=False,
                id="rules",
                compact=True,
            )
            yield Static(RULES[now.rules].summary, id="summary")
            yield VerticalScroll(id="extra")
            yield Label("Chord a number")
            yield _select("chord", tuple(map(str, Chord)), str(now.chord))
            yield Checkbox("Undo", now.undo, id="undo", compact=True)
            yield Static("", id="problem")
            with Horizontal(id="buttons"):
                yield Button("Start", variant="primary", id="start", compact=True)
                yield Button("Cancel", id="cancel", compact=True)

    async def on_mount(self) -> None:
        """Show the choices of the current rules."""
        await self._show_rules(self._settings.rules)
        self.query_one("#level").focus()

    @on(Select.Changed, "#rules")
    async def _rules_changed(self, event: Select.Changed) -> None:
        await self._show_rules(str(event.value))

    async def _show_rules(self, name: str) -> None:
        """Offer what these rules know, keeping what they share with the game that is played."""
        rules, now = RULES[name], self._settings
        self.query_one("#summary", Static).update(rules.summary)
        extra = self.query_one("#extra")
        await extra.remove_children()
        kept = now.options if now.rules == name else {}
        first = now.first_click if now.first_click in rules.first_clicks else rules.first_clicks[0]
        win = now.win if now.win in rules.wins else rules.wins[0]
        await extra.mount(
            Label("First click"),
            _select("first_click", tuple(map(str, rules.first_clicks)), str(first)),
            Label("Win by"),
            _select("win", tuple(map(str, rules.wins)), str(win)),
            *(
                widget
                for option in rules.options
                for widget in _option(option, kept.get(option.name, option.default))
            ),
        )

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def _start(self) -> None:
        rules = RULES[str(self.query_one("#rules", Select).value)]
        options: dict[str, Any] = {}
        for option in rules.options:
            widget = self.query_one(f"#{option.name}")
            if isinstance(widget, Checkbox):
                options[option.name] = widget.value
            elif isinstance(widget, Select):
                options[option.name] = str(widget.value)
        try:
            made = dealers.settings(
                self.query_one("#level", Input).value.strip(),
                rules.name,
                first_click=str(self.query_one("#first_click", Select).value),
                win=str(self.query_one("#win", Select).value),
                chord=str(self.query_one("#chord", Select).value),
                undo=self.query_one("#undo", Checkbox).value,
                seed=None,
                **options,
            )
        except SapperError as problem:
            self.query_one("#problem", Static).update(str(problem))
            return
        self.dismiss(made)

    @on(Button.Pressed, "#cancel")
    def action_dismiss_none(self) -> None:
        """Close without a new game."""
        self.dismiss(None)


def _select(name: str, choices: tuple[str, ...], value: str) -> Select[str]:
    return Select(
        [(choice, choice) for choice in choices],
        value=value,
        allow_blank=False,
        id=name,
        compact=True,
    )


def _option(option: Option, value: OptionValue) -> list[Label | Checkbox | Select[str]]:
    if option.choices:
        return [Label(option.summary), _select(option.name, option.choices, str(value))]
    return [Checkbox(option.summary, bool(value), id=option.name, compact=True)]
