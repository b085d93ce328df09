"""The form for new game settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Checkbox, Input, Label, Select, Static

from sapper import dealer as dealers
from sapper.dealer import RULES
from sapper.errors import SapperError
from sapper.rules import Chord, FirstClick, Option, OptionValue, Rules, Settings
from sapper.topology import TOPOLOGIES
from sapper.translation import Catalogue, label_of, t
from sapper.tui.paragraph import Paragraph

__all__ = ["SettingsScreen"]


class SettingsScreen(ModalScreen[Settings | None]):
    """Asks for the level, shape, rules and their options, and returns the settings.

    Args:
        settings: The initial settings of the form.
        words: The language.
        own: The last settings used with each rule set.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss_none", show=False)]
    CSS = """
    SettingsScreen { align: center middle; }
    #form { width: 64; max-width: 100%; height: auto; max-height: 100%; padding: 0 1;
            background: $surface; border: round $primary; }
    #form .row { height: auto; }
    #form .row Label { color: $text-muted; width: 17; padding: 0 1 0 0; }
    #form .row Select, #form .row Input { width: 1fr; }
    #form .note { color: $text-muted; }
    #problem { color: $text-error; height: auto; }
    #buttons { height: auto; }
    #extra { height: auto; }
    """

    def __init__(
        self, settings: Settings, words: Catalogue, own: Mapping[str, Settings] | None = None
    ) -> None:
        super().__init__()
        self._settings, self._words, self._own = settings, words, own or {}

    def compose(self) -> ComposeResult:
        """Lay out the form."""
        now, text = self._settings, self._words.text
        size, _, _ = str(now.level).partition("/")
        with VerticalScroll(id="form"):
            yield self._row(t("Level"), Input(size, id="level", compact=True))
            yield Static(
                text(t("beginner, intermediate, expert, 20x10:30 or 20x10@0.15")), classes="note"
            )
            shapes = {name: text(cls.label or name) for name, cls in TOPOLOGIES.items()}
            yield self._row(t("Shape"), _select("shape", shapes, now.level.topology))
            rules = {name: text(rules.label) for name, rules in RULES.items()}
            yield self._row(t("Rule set"), _select("rules", rules, now.rules))
            yield Paragraph(text(RULES[now.rules].summary), id="summary", classes="note")
            yield Vertical(id="extra")
            yield self._choice(t("Chord with"), "chord", tuple(Chord), str(now.chord))
            yield Checkbox(text(t("Undo")), now.undo, id="undo", compact=True)
            yield Paragraph("", id="problem")
            with Horizontal(id="buttons"):
                yield Button(text(t("New game")), variant="primary", id="start", compact=True)
                yield Button(text(t("Cancel")), id="cancel", compact=True)

    async def on_mount(self) -> None:
        """Show the options of the current rules."""
        await self._show_rules(self._settings.rules)
        self.query_one("#level").focus()

    @on(Select.Changed, "#rules")
    async def _rules_changed(self, event: Select.Changed) -> None:
        await self._show_rules(str(event.value))

    async def _show_rules(self, name: str) -> None:
        """Show the options of a rule set, with the values of its last game."""
        rules, own = RULES[name], self._own.get(name)
        if own is None and name == self._settings.rules:
            own = self._settings
        self.query_one("#summary", Paragraph).update(self._words.text(rules.summary))
        extra = self.query_one("#extra")
        await extra.remove_children()
        last = {} if own is None else own.options
        first = _first_click(rules) if own is None else own.first_click
        win = rules.wins[0] if own is None else own.win
        await extra.mount(
            self._choice(t("First click"), "first_click", rules.first_clicks, str(first)),
            self._choice(t("To win"), "win", rules.wins, str(win)),
            *(
                widget
                for option in rules.options
                for widget in self._option(option, last.get(option.name, option.default))
            ),
        )

    @on(Button.Pressed, "#start")
    @on(Input.Submitted)
    def _start(self) -> None:
        rules = RULES[self._chosen("rules")]
        options: dict[str, Any] = {}
        for option in rules.options:
            widget = self.query_one(f"#{option.name}")
            if isinstance(widget, Checkbox):
                options[option.name] = widget.value
            elif isinstance(widget, Select):
                options[option.name] = str(widget.value)
        level = self.query_one("#level", Input).value.strip()
        if "/" not in level:
            level = f"{level}/{self._chosen('shape')}"
        try:
            chosen = dealers.settings(
                level,
                rules.name,
                first_click=self._chosen("first_click"),
                win=self._chosen("win"),
                chord=self._chosen("chord"),
                undo=self.query_one("#undo", Checkbox).value,
                seed=None,
                **options,
            )
        except SapperError as problem:
            self.query_one("#problem", Paragraph).update(self._words.text(str(problem)))
            return
        self.dismiss(chosen)

    @on(Button.Pressed, "#cancel")
    def action_dismiss_none(self) -> None:
        """Close without a new game."""
        self.dismiss(None)

    def _chosen(self, name: str) -> str:
        return str(self.query_one(f"#{name}", Select).value)

    def _row(self, label: str, widget: Widget) -> Horizontal:
        return Horizontal(Label(self._words.text(label)), widget, classes="row")

    def _choice(self, label: str, name: str, choices: tuple[str, ...], value: str) -> Horizontal:
        texts = {str(one): self._words.text(label_of(one)) for one in choices}
        return self._row(label, _select(name, texts, value))

    def _option(self, option: Option, value: OptionValue) -> list[Widget]:
        label, note = option.label, self._words.text(option.summary)
        if option.choices:
            field: Widget = self._choice(label, option.name, option.choices, str(value))
        else:
            text = self._words.text(label)
            field = Checkbox(text, bool(value), id=option.name, compact=True)
        return [field, Static(note, classes="note")]


def _first_click(rules: Rules) -> FirstClick:
    """Return the default first-click promise: an opening, if the rules allow it."""
    return FirstClick.OPENING if FirstClick.OPENING in rules.first_clicks else rules.first_clicks[0]


def _select(name: str, choices: Mapping[str, str], value: str) -> Select[str]:
    return Select(
        [(text, choice) for choice, text in choices.items()],
        value=value,
        allow_blank=False,
        id=name,
        compact=True,
    )
