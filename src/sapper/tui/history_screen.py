"""The screen of finished games: their statistics, a table of them, and the replay of one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import DataTable, Footer, Static

from sapper.errors import SapperError
from sapper.history import History, Record, Selection, Statistics, summarize
from sapper.rules import Settings
from sapper.tui.background import Background
from sapper.tui.replay_screen import ReplayScreen

__all__ = ["HistoryScreen"]

_MOST: Final = 200
"""The latest games that are listed; the statistics are of all."""

_Found = tuple[list[Record], Statistics]


class HistoryScreen(ModalScreen[None]):
    """Lists the games in the history, the latest first.

    Args:
        settings: Those of the current game: one of the choices lists games like it.
        look: A name of `LOOKS`, for replays.
        saved: Waits until the games finished so far are in the history.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "filter", "Which"),
        Binding("escape,q,g", "dismiss", "Back", key_display="Esc"),
    ]
    CSS = """
    HistoryScreen { background: $background; }
    #summary { height: auto; }
    #games { height: 1fr; }
    """

    def __init__(self, settings: Settings, look: str, saved: Callable[[], object]) -> None:
        super().__init__()
        same = f"{settings.level} {settings.rules}"
        self._choices = [
            ("All games", Selection()),
            ("Without help", Selection(bot="", helped=False)),
            (same, Selection(rules=settings.rules, level=str(settings.level))),
            ("Lost games", Selection(won=False)),
        ]
        self._chosen, self._look, self._saved = 0, look, saved
        self._records: list[Record] = []
        self._reading: Background[_Found] = Background()

    @property
    def busy(self) -> bool:
        """Whether games are being read."""
        return self._reading.busy

    def compose(self) -> ComposeResult:
        """Lay out statistics, table and keys."""
        yield Static("Reading ...", id="summary", markup=False)
        yield DataTable[str](id="games", cursor_type="row")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Read the games."""
        table = self.query_one(DataTable)
        table.add_columns("Result", "Time", "Level", "Rules", "Help", "Finished")
        table.focus()
        self._read()

    def action_filter(self) -> None:
        """List other games."""
        self._chosen = (self._chosen + 1) % len(self._choices)
        self._read()

    @on(DataTable.RowSelected)
    def _open(self, event: DataTable.RowSelected) -> None:
        try:
            screen = ReplayScreen(self._records[event.cursor_row], self._look)
        except SapperError as problem:
            self._say(f"This game has no replay: {problem}.")
            return
        self.app.push_screen(screen)

    def _read(self) -> None:
        _, selection = self._choices[self._chosen]

        def work(_: object) -> _Found:
            self._saved()
            with History() as history:
                return list(history.records(selection, _MOST)), summarize(history, selection)

        self._reading.run(work, self._show, self._failed)

    def _show(self, found: _Found) -> None:
        self._records, statistics = found
        table = self.query_one(DataTable)
        table.clear()
        for record in self._records:
            table.add_row(*_row(record))
        self._say(f"{self._choices[self._chosen][0]}: {_sentence(statistics)}")

    def _failed(self, problem: Exception) -> None:
        if not isinstance(problem, SapperError | OSError):
            raise problem
        self._say(f"The history cannot be read: {problem}.")

    def _say(self, text: str) -> None:
        self.query_one("#summary", Static).update(text)


def _row(record: Record) -> tuple[str, ...]:
    return (
        "won" if record.won else "lost",
        f"{record.time_ms / 1000:.1f} s",
        record.level,
        record.rules,
        f"bot {record.bot}" if record.bot else record.helped or "-",
        datetime.fromtimestamp(record.finished_ms / 1000).strftime("%Y-%m-%d %H:%M"),
    )


def _sentence(found: Statistics) -> str:
    """Return the statistics in words."""
    if not found.games:
        return "none yet."
    low, high = (100 * end for end in found.interval)
    share = 100 * found.won / found.games
    said = [
        f"{found.games} played, {found.won} won "
        f"({share:.0f} %, 95 % interval {low:.0f} to {high:.0f} %)"
    ]
    if found.best_s is not None and found.median_s is not None:
        said.append(f"best {found.best_s:.1f} s, median {found.median_s:.1f} s")
    if found.bbbv_s is not None:
        said.append(f"3BV/s {found.bbbv_s:.2f}")
    if found.streak:
        said.append(f"{abs(found.streak)} {'won' if found.streak > 0 else 'lost'} in a row")
    return f"{', '.join(said)}."
