"""The screen of finished games: statistics, a table, and the replay of a game."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import DataTable

from sapper.dealer import rules_label
from sapper.errors import SapperError
from sapper.history import History, Record, Selection, Statistics, summarize
from sapper.rules import Settings, level_label
from sapper.translation import Catalogue, Text, seconds, t, tn
from sapper.tui.background import Background
from sapper.tui.key_line import KeyLine, letter
from sapper.tui.layouts import with_layouts
from sapper.tui.paragraph import Paragraph
from sapper.tui.replay_screen import ReplayScreen
from sapper.tui.status_line import level_and_rules

__all__ = ["HistoryScreen"]

_MAX_GAMES: Final = 200
"""Number of latest games to list; the statistics include all games."""

_COLUMNS: Final = (t("Result"), t("Time"), t("Level"), t("Rule set"), t("Help"), t("Finished"))
_HELP: Final = {
    "hint": t("Hint"),
    "overlay": t("Overlay"),
    "undo": t("Undo"),
    "retry": t("Same board again"),
    "bot": t("Bot"),
}
"""Labels of the kinds of help in `Record.helped`."""

_Found = tuple[list[Record], Statistics]


class HistoryScreen(ModalScreen[None]):
    """Lists the games in the history, the latest first.

    Args:
        settings: Settings of the current game; one of the filters lists games with these settings.
        look: A name of `LOOKS`, for replays.
        words: The language.
        saved: Function that waits until all finished games are in the history.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        letter("f", "filter", t("Which")),
        Binding(with_layouts("escape,q,g"), "dismiss", t("Close"), key_display="Esc"),
    ]
    CSS = """
    HistoryScreen { background: $background; }
    #summary { height: auto; }
    #games { height: 1fr; }
    """

    def __init__(
        self, settings: Settings, look: str, words: Catalogue, saved: Callable[[], object]
    ) -> None:
        super().__init__()
        same = level_and_rules(settings.level, settings.rules)
        self._choices = [
            (t("All games"), Selection()),
            (t("Without help"), Selection(bot="", helped=False)),
            (same, Selection(rules=settings.rules, level=str(settings.level))),
            (t("Lost games"), Selection(won=False)),
        ]
        self._words = words
        self._chosen, self._look, self._saved = 0, look, saved
        self._records: list[Record] = []
        self._reading: Background[_Found] = Background()

    @property
    def busy(self) -> bool:
        """Whether games are being loaded."""
        return self._reading.busy

    def compose(self) -> ComposeResult:
        """Lay out statistics, table and keys."""
        yield Paragraph(self._words.text(t("Reading…")), id="summary", markup=False)
        yield _Games(id="games", cursor_type="row")
        yield KeyLine(self._words)

    def on_mount(self) -> None:
        """Read the games."""
        table = self.query_one(DataTable)
        table.add_columns(*map(self._words.text, _COLUMNS))
        table.focus()
        self._read()

    def action_filter(self) -> None:
        """Change the filter."""
        self._chosen = (self._chosen + 1) % len(self._choices)
        self._read()

    @on(DataTable.RowSelected)
    def _open(self, event: DataTable.RowSelected) -> None:
        try:
            record = self._records[event.cursor_row]
            replay, own = record.replay(), record.game() is not None
            screen = ReplayScreen(replay, self._look, self._words, record.time_ms, own=own)
        except SapperError as problem:
            self._say(t("This game has no replay: {problem}.", problem=str(problem)))
            return
        self.app.push_screen(screen)

    def _read(self) -> None:
        _, selection = self._choices[self._chosen]

        def work(_: object) -> _Found:
            self._saved()
            with History() as history:
                return list(history.records(selection, _MAX_GAMES)), summarize(history, selection)

        self._reading.run(work, self._show, self._failed)

    def _show(self, loaded: _Found) -> None:
        self._records, statistics = loaded
        table = self.query_one(DataTable)
        table.clear()
        for record in self._records:
            table.add_row(*map(self._words.text, _row(record)))
        choice = self._choices[self._chosen][0]
        self._say(Text("{choice}: {found}.", {"choice": choice, "found": _figures(statistics)}))

    def _failed(self, problem: Exception) -> None:
        if not isinstance(problem, SapperError | OSError):
            raise problem
        self._say(t("The history cannot be read: {problem}.", problem=str(problem)))

    def _say(self, text: str) -> None:
        self.query_one("#summary", Paragraph).update(self._words.text(text))


class _Games(DataTable[str]):
    """The table, with a key binding that describes the effect of Enter."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select_cursor", t("Replay"), key_display="Enter")
    ]


def _row(record: Record) -> tuple[str, ...]:
    helped = t("bot {name}", name=record.bot) if record.bot else _HELP.get(record.helped)
    return (
        t("Won") if record.won else t("Lost"),
        seconds(record.time_ms / 1000),
        level_label(record.level),
        rules_label(record.rules),
        helped or record.helped or "-",
        _moment(record.finished_ms),
    )


def _moment(finished_ms: int) -> str:
    if not finished_ms:
        return t("unknown")
    return datetime.fromtimestamp(finished_ms / 1000).strftime("%Y-%m-%d %H:%M")


def _figures(statistics: Statistics) -> list[str]:
    """Return the statistics as text."""
    if not statistics.games:
        return [t("none yet")]
    low, high = (f"{100 * end:.0f}" for end in statistics.interval)
    share = f"{100 * statistics.won / statistics.games:.0f}"
    lines: list[str] = [
        tn("{n} played", "{n} played", statistics.games),
        t(
            "{won} won ({share} %, 95 % interval {low} to {high} %)",
            won=statistics.won,
            share=share,
            low=low,
            high=high,
        ),
    ]
    if statistics.best_s is not None and statistics.median_s is not None:
        best, median = seconds(statistics.best_s), seconds(statistics.median_s)
        lines.append(t("best {best}, median {median}", best=best, median=median))
    if statistics.bbbv_s is not None:
        whole, fraction = f"{statistics.bbbv_s:.2f}".split(".")
        lines.append(t("3BV/s {whole}.{fraction}", whole=whole, fraction=fraction))
    if statistics.streak > 0:
        lines.append(tn("{n} won in a row", "{n} won in a row", statistics.streak))
    elif statistics.streak:
        lines.append(tn("{n} lost in a row", "{n} lost in a row", -statistics.streak))
    return lines
