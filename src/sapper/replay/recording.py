"""Replays: the board, the mouse events, and the data about the game in the file."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Final, Self

import numpy as np

from sapper._core import __version__
from sapper._util.arguments import expect
from sapper.board import Board
from sapper.errors import BadReplay
from sapper.game import Game, Status
from sapper.position import EXPLODED, FLAGGED, UNOPENED, Position
from sapper.replay.events import EventKind, Events
from sapper.replay.game_events import events_of_game
from sapper.replay.pressing import as_mouse
from sapper.rules import Chord, Win
from sapper.translation import t

__all__ = ["MODES", "Info", "Replay"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

MODES = (
    "standard",
    "upk",
    "cheat",
    "density",
    "win7",
    "competitive no-guess",
    "strong no-guess",
    "weak no-guess",
    "quasi no-guess",
    "strong guessable",
    "weak guessable",
    "chord recursive",
    "flag recursive",
    "chord and flag recursive",
    "no-guess chord recursive",
    "no-guess flag recursive",
    "no-guess chord and flag recursive",
)
"""Game modes, indexed by their number in EVF files. UPK repeats a known board."""

_RULES = {"classic": "standard", "windows-xp": "standard", "no-guess": "competitive no-guess"}


@dataclass(frozen=True, slots=True)
class Info:
    """The data about a game in a file, which may be wrong; missing values are empty or None.

    Attributes:
        program: The program that recorded the game.
        version: Version of the program.
        player: Name of the player.
        identity: Nickname or number that distinguishes players of the same name.
        country: Country as given in the file: a name or a code.
        started_at: Start as ISO 8601, in the player's local time unless it ends with ``Z``.
        mode: One of `MODES`, or the value in the file.
        question_marks: Whether question marks were enabled.
        super_click: Whether a left click on an open number chorded.
        super_flag: Whether a right click on an open number flagged its unopened neighbours if there
            were as many as it shows.
        other_rules: Other settings in the file that change the rules, such as ``Lives: 2``, joined
            by commas; Sapper does not apply them.
        time_ms: Time of the game.
        bbbv: The 3BV.
        won: Whether the game was won.
        official: Whether the program counts it as official: won in the standard mode without any
            help.
        fair: Whether the program counts it as fair: won without any help, in any mode.
    """

    program: str = ""
    version: str = ""
    player: str = ""
    identity: str = ""
    country: str = ""
    started_at: str = ""
    mode: str = "standard"
    question_marks: bool | None = None
    super_click: bool | None = None
    super_flag: bool | None = None
    other_rules: str = ""
    time_ms: int | None = None
    bbbv: int | None = None
    won: bool | None = None
    official: bool | None = None
    fair: bool | None = None

    @property
    def started_micros(self) -> int:
        """Start in microseconds since 1970, with local time taken as UTC; 0 if unknown."""
        try:
            time = datetime.fromisoformat(self.started_at)
        except ValueError:
            return 0
        if time.tzinfo is None:
            time = time.replace(tzinfo=UTC)
        return max(0, (time - _EPOCH) // timedelta(microseconds=1))


@dataclass(frozen=True, slots=True)
class Replay:
    """A recorded game.

    Attributes:
        board: The board.
        events: The mouse events.
        origin: The player's view at the start, if any cell was open or flagged, or the mine total
            was unknown.
        chord: The flags needed to chord a number.
        win: How the game is won.
        cell_px: Width and height of a cell in pixels. It is 1 in a replay without a pointer path,
            where x is the column and y the row.
        info: The data about the game in the file.
        format: The format of the file: ``avf``, ``rmv`` ...
    """

    board: Board
    events: Events
    cell_px: int = 16
    info: Info = field(default_factory=Info)
    format: str = field(default="json", compare=False)
    origin: Position | None = None
    chord: Chord = Chord.EXACT
    win: Win = Win.OPEN

    def __post_init__(self) -> None:
        if not 1 <= self.cell_px <= 255:
            raise BadReplay(f"cell_px must be between 1 and 255, got {self.cell_px}")
        if self.origin is not None:
            _check_origin(self.origin, self.board)
        _check_times(self.events)

    @classmethod
    def from_game(cls, game: Game) -> Self:
        """Return the replay of a finished game: its actions, and the pointer path if recorded.

        Undone actions are dropped, together with ineffective clicks after them, because dealers
        that place mines during the game may have shown different numbers at that time.

        A game that started from a single opening click, such as a daily board, starts with that
        click; other start positions become the `origin`. Times are relative to the clock time at
        the start.

        Raises:
            BadReplay: If the game is not over, because the replay would reveal its mines.
        """
        expect(game, Game, "a Game")
        if not game.over:
            raise BadReplay(f"a replay needs a finished game, this one is {game.status}")
        recorded = events_of_game(game)
        info = Info(
            program="Sapper",
            version=__version__,
            mode=_RULES.get(game.rules, game.settings.rules),
            question_marks=bool(recorded.events.is_kind(EventKind.QUESTION).any()) or None,
            time_ms=round(1000 * (game.clock.player_s - recorded.begun_s)),
            bbbv=game.board.bbbv,
            won=game.status is Status.WON,
            # Undo counts as help; it is the only help that a game records.
            fair=False if game.counts.undos else None,
        )
        chord, win = game.settings.chord, game.settings.win
        return cls(
            game.board, recorded.events, recorded.cell_px, info,
            origin=recorded.origin, chord=chord, win=win,
        )  # fmt: skip

    @property
    def own(self) -> tuple[str, ...]:
        """Description of data that only Sapper's own format can store; empty if there is none."""
        parts = {
            t("cells open or flagged at the start"): self.begun,
            t("chords with more flags than the number"): self.chord is not Chord.EXACT,
            t("winning by flags"): self.win is not Win.OPEN,
        }
        return tuple(part for part, there in parts.items() if there)

    @property
    def begun(self) -> bool:
        """Whether the replay starts from a position other than an unopened board."""
        return self.origin is not None and not is_untouched(self.origin)

    @property
    def has_pointer(self) -> bool:
        """Whether the pointer path was recorded."""
        return bool(self.events.is_kind(EventKind.MOVE).any())

    def without_pointer(self) -> Self:
        """Return the replay with actions on cells only, without the pointer path."""
        clicks = self.events[~self.events.is_kind(EventKind.MOVE)]
        x, y = (np.floor_divide(pixels, self.cell_px) for pixels in (clicks.x, clicks.y))
        return replace(self, events=Events.of(clicks.ms, clicks.kind, x, y), cell_px=1)

    def scaled(self, cell_px: int) -> Self:
        """Return the replay scaled to another cell size, rounding positions within cells.

        Without a pointer path, positions are the centres of cells.
        """
        if cell_px == self.cell_px:
            return self
        moved = (
            np.floor_divide((2 * pixels.astype(np.int64) + 1) * cell_px, 2 * self.cell_px)
            for pixels in (self.events.x, self.events.y)
        )
        events = Events.of(self.events.ms, self.events.kind, *moved)
        return replace(self, events=events, cell_px=cell_px)

    def as_mouse(self) -> Self:
        """Return the replay with only moves, presses and releases of known buttons, and flags.

        An action on a cell becomes a press and a release. Presses of an unknown second button and
        changes of a button are resolved from the buttons that were down.
        """
        return replace(self, events=as_mouse(self.events))

    def clamped(self) -> Self:
        """Return the replay with all points off the board moved to its bottom right corner."""
        right, bottom = self.board.topology.width, self.board.topology.height
        right, bottom = right * self.cell_px, bottom * self.cell_px
        x, y = self.events.x, self.events.y
        outside = (x < 0) | (x >= right) | (y < 0) | (y >= bottom)
        if not outside.any():
            return self
        events = Events.of(
            self.events.ms,
            self.events.kind,
            np.where(outside, right, x),
            np.where(outside, bottom, y),
        )
        return replace(self, events=events)


def is_untouched(position: Position) -> bool:
    """Return whether a start position with a density is the ordinary one for that density."""
    return position.density is not None and not position.cells.strip(UNOPENED.encode())


def _check_times(events: Events) -> None:
    """Reject clicks that go back in time, because they make the game's time meaningless."""
    if not len(events):
        return
    ordered = (events.ms[1:] >= events.ms[:-1]).all()
    first = events.ms[0] if ordered else events.ms.min()
    if first < 0:
        raise BadReplay(f"an event of a replay is at {first} ms, before its beginning")
    if ordered:
        return
    # Some programs write pointer moves out of order.
    clicks = events.ms[~events.is_kind(EventKind.MOVE)]
    back = np.flatnonzero(np.diff(clicks) < 0)
    if len(back):
        before, after = clicks[back[0] : back[0] + 2]
        raise BadReplay(f"a click of a replay at {after} ms comes after one at {before} ms")


def _check_origin(origin: Position, board: Board) -> None:
    """Reject a position that cannot be the start of a game on a board."""
    if origin.topology != board.topology or origin.mines not in (None, board.mines):
        raise BadReplay("the position that a replay begins from does not match its board")
    cells, true = (np.frombuffer(each.cells, np.uint8) for each in (origin, board))
    opened = ~np.isin(cells, (ord(UNOPENED), ord(FLAGGED)))
    wrong = np.flatnonzero(opened & ((cells != true) | (true == ord(EXPLODED))))
    if len(wrong):
        at = board.topology.cell(int(wrong[0]))
        raise BadReplay(
            f"a replay cannot begin with {origin[at]!r} at {at}, where its board has {board[at]!r}"
        )
