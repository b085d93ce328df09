"""Play to learn: open proved safe cells, guess otherwise, and observe the results."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import monotonic, sleep

import numpy as np

from sapper.errors import InconsistentPosition
from sapper.position import UNOPENED
from sapper.solver.bots.base import around
from sapper.vision.errors import Cause, PlayStopped
from sapper.vision.geometry import Image
from sapper.vision.looks import ENDING
from sapper.vision.patience import HOLDS, Patience
from sapper.vision.unthemed.gallery import Looks
from sapper.vision.unthemed.log import LearningLog
from sapper.vision.unthemed.naming import Ending, Naming
from sapper.vision.unthemed.surface import UnthemedSurface

__all__ = ["Explorer"]

_ENOUGH, _LEAST, _RARE = ".01234", 4, 5
"""Looks that a bot needs constantly; how many of them suffice on boards where the last are rare;
and the number of games after which an unseen look counts as rare."""
_STILL, _STRANGE = 0.05, 1.0
"""Seconds for which a board must stay unchanged. The second applies to new looks, because many
programs flash at the end of a game or mark cells a moment later."""
_GAP = 0.05
"""Longest interval between two captures that still counts as continuous observation."""
_PATIENCE = 3.0
"""Seconds after which a click counts as having no effect."""
_START = 2.4
"""Seconds to wait for a new game after each way of requesting one."""
_LONG = 60
"""Number of clicks after which a game is lost on purpose. No number can be named before a game has
ended, and on a large board that could take hundreds of clicks."""
_NUMBERS = "12345678"
_IDLE = 2
"""A game is over after this many consecutive clicks without effect on different cells."""


class Explorer:
    """Learns the looks of a program by playing it.

    Args:
        surface: The window.
        seed: Seed of the guesses.
        tell: Called with a message after each game.
        log: Log of the games.
    """

    def __init__(
        self,
        surface: UnthemedSurface,
        seed: int = 0,
        tell: Callable[[str], None] = lambda _: None,
        log: LearningLog | None = None,
    ) -> None:
        self.games = 0
        """Number of games played to learn."""
        self.naming = Naming(surface.shape, surface.unopened)
        self._surface, self._tell = surface, tell
        self._log = log or LearningLog(None)
        self._near = around(surface.shape)
        self._random = random.Random(seed)
        self._known_looks: set[int] = set()
        self._safe: list[int] = []
        self._flag_tried = self._doubted = False

    @property
    def names(self) -> str:
        """Known meanings of looks, each a character of `sapper.vision.LOOKS`."""
        return "".join(sorted(set(self.naming.names.values())))

    @property
    def ready(self) -> bool:
        """Whether a bot can play with the learned looks."""
        return self._reads_enough and bool(set(self.names) & set(ENDING))

    @property
    def _reads_enough(self) -> bool:
        needed = max(_LEAST, len(_ENOUGH) - self.games // _RARE)
        return set(self.names) >= set(_ENOUGH[:needed])

    def learn(self, games: int) -> None:
        """Play games until the common looks are known.

        Raises:
            PlayStopped: If the common looks are still unknown after the last game, or no new game
                can be started.
        """
        while not self.ready:
            if self.games == games:
                raise PlayStopped(
                    f"after {games} games, only these looks are known: {self.names!r}",
                    Cause.NOT_LEARNED,
                )
            self.finish()
            self.begin()

    @property
    def _columns(self) -> int:
        return self._surface.shape.width

    def _picture(self) -> Image | None:
        return self._surface.board_picture() if self._log.keeps else None

    def _looks_seen(self) -> list[Image]:
        return self._surface.look_pictures() if self._log.keeps else []

    def forget(self) -> None:
        """Discard all names, because at least one is wrong."""
        self.naming.forget()
        self._known_looks.clear()
        self._flag_tried = False

    def finish(self) -> None:
        """Play the current game to its end."""
        board, learned = self._still(), self.naming.copy()
        fresh = bool((board == self._surface.unopened).all())
        self._surface.counter.begin(self._surface.numbers() if fresh else {})
        result = "stopped"
        self._log.begin(board, self._columns, self._picture())
        try:
            ending = self._play(board)
            if ending is not None:
                self.naming.ended(ending)
                result = {True: "lost", False: "won", None: "over"}[self.naming.lost(ending)]
                if result == "won":
                    self._surface.counter.win(self.naming.left(ending))
            self._doubted = False
        except InconsistentPosition:
            # A late redraw may make a single game contradict itself. If the next game also
            # contradicts the known names, they are wrong.
            if self._doubted:
                self.forget()
            else:
                self.naming = learned
            self._doubted = not self._doubted
            result = "doubted"
        self._surface.name_looks(self.naming.names)
        self.games += 1
        self._log.end(result, self.naming.names, self._looks_seen())
        self._tell(f"{self.games:>4}  learning, {result}: knows {self.names}")

    def _play(self, board: Looks) -> Ending | None:
        """Play to the end of the game and return that end; None if the game was already over."""
        idle, wary, clicks = set[int](), False, 0
        self._safe.clear()
        while len(idle) < _IDLE:
            lose = clicks >= _LONG and not set(self.names) & set(_NUMBERS)
            cell = self._choose(board, idle, far=wary, lose=lose)
            if cell is None:
                break
            clicks += 1
            before, last, known_looks = board, self._surface.last_click, set(self._known_looks)
            self._open(cell, before)
            board = self._still()
            place = self._surface.shape.cell(cell)
            self._log.click(place, board, self._columns, self._picture())
            if last is not None and self._is_new(board, before, last):
                # Some programs start a new game on any click after the end.
                self._surface.last_click, board = last, before
                break
            if board[cell] == before[cell]:
                # The click may not have caused the other changes, because some programs draw the
                # end of a game late.
                self._surface.last_click = last
                idle.add(cell)
                continue
            idle.clear()
            # A new look may be a mine, in which case the page may be about to mark the safe cells.
            wary = int(board[cell]) not in known_looks
            self.naming.went_on(before)
            if self.naming.names.get(int(board[cell]), UNOPENED) in ENDING:
                break
            self._try_flag(board)
        if self._surface.last_click is None:
            return None
        attempt, last = 0, self._surface.last_click
        while (ending := self.naming.over(board, *last)) is None:
            if not self._surface.uncover(attempt):
                break
            board = self._still()
            attempt += 1
        return ending

    def _choose(self, board: Looks, idle: set[int], *, far: bool, lose: bool) -> int | None:
        """Choose a proved safe cell, or one far from opened cells, or any possible one.

        Args:
            board: The board.
            idle: Cells on which clicks have no effect.
            far: Whether to always prefer a cell far from opened cells.
            lose: Whether to open a mine on purpose.
        """
        if not (far or lose) and (safe_cell := self._known_safe(board, idle)) is not None:
            return safe_cell
        question = self.naming.learn(board)
        names = [self.naming.names.get(look) for look in board.tolist()]
        closed = [at for at, name in enumerate(names) if name == UNOPENED and at not in idle]
        rim = [at for at in closed if any(names[n] != UNOPENED for n in self._near[at])]
        mined = question.mined(rim)
        if mined and (lose or (self._reads_enough and not self.ready)):
            # An opened mine appears only in a lost game.
            return mined[0]
        if lose and (likely := self._likely_mine(names, rim)) is not None:
            return likely
        floating = sorted(set(closed) - set(rim))
        self._safe = question.safe(rim)
        if self._safe and not (far and floating):
            return self._safe[0]
        open_ = floating or sorted(set(rim) - set(mined))
        return self._random.choice(open_) if open_ else None

    def _likely_mine(self, names: list[str | None], rim: list[int]) -> int | None:
        """Return an unopened neighbour of the opened cell that has the fewest.

        Most programs open the cells around a zero, so the last unopened cell next to a number is
        its mine.
        """
        left = {
            at: sum(names[n] == UNOPENED for n in self._near[at])
            for cell in rim
            for at in self._near[cell]
            if names[at] is None
        }
        beside = {
            cell: min((left[n] for n in self._near[cell] if n in left), default=0) for cell in rim
        }
        return min((cell for cell in rim if beside[cell]), key=beside.__getitem__, default=None)

    def _known_safe(self, board: Looks, idle: set[int]) -> int | None:
        """Return a cell that an earlier position of this game proved safe."""
        unopened = self._surface.unopened
        self._safe = [at for at in self._safe if board[at] == unopened and at not in idle]
        return self._safe[0] if self._safe else None

    def _open(self, cell: int, before: Looks) -> None:
        """Click a cell; if nothing happens, press longer, and note which press worked."""
        usual = self._surface.hold
        for seconds in HOLDS:
            self._surface.hold = max(usual, seconds)
            self._surface.open(self._surface.shape.cell(cell))
            if self._changes(cell, before, _PATIENCE / len(HOLDS)):
                return
        self._surface.hold = usual

    def _changes(self, cell: int, before: Looks, seconds: float = _PATIENCE) -> bool:
        patience = Patience(seconds)
        while self._surface.looks()[cell] == before[cell]:
            if patience.is_over():
                return False
            patience.pause()
        return True

    def _try_flag(self, board: Looks) -> None:
        """Learn the look of a flag by setting and removing one, once."""
        closed = np.flatnonzero(board == self._surface.unopened)
        if self._flag_tried or not closed.size:
            return
        self._flag_tried = True
        at = int(closed[-1])
        cell = self._surface.shape.cell(at)
        before = self._surface.numbers()
        self._surface.flag(cell)
        if not self._changes(at, board):
            return
        flagged, numbers = self._still(), self._surface.numbers()
        now = flagged
        # Some programs go through a question mark between a flag and no mark.
        for _ in range(2):
            self._surface.flag(cell)
            self._changes(at, now)
            now = self._still()
            if now[at] == board[at]:
                self._surface.counter.flag(before, numbers, self._surface.numbers())
                self.naming.flag(int(flagged[at]))
                return
        raise PlayStopped(f"a right click on {cell} cannot be undone", Cause.NOT_LEARNED)

    def _still(self) -> Looks:
        """Return the board once it is stable, waiting longer for new looks."""
        last, looked = self._surface.looks(), monotonic()
        unchanged = 0.0
        while True:
            sleep(0.004)
            now, at = self._surface.looks(), monotonic()
            # When a cell flashes, two equal frames may have a different one between them.
            unchanged = 0.0 if (now != last).any() else unchanged + min(at - looked, _GAP)
            last, looked = now, at
            strange = not set(now.tolist()) <= self._known_looks
            if unchanged >= (_STRANGE if strange else _STILL):
                self._known_looks |= set(now.tolist())
                return now

    def begin(self) -> None:
        """Request a new game, trying all ways until one works.

        Raises:
            PlayStopped: If no method works.
        """
        ended, last = self._still(), self._surface.last_click
        if (ended == self._surface.unopened).all():
            return
        for attempt in range(2 * self._surface.ways):
            self._surface.begin(attempt)
            patience = Patience(_START)
            while not self._is_new(self._surface.looks(), ended, last) and not patience.is_over():
                patience.pause()
            if self._is_new(self._still(), ended, last):
                self._surface.keep_way(attempt)
                return
        raise PlayStopped("no new game could be started", Cause.NO_NEW_GAME)

    def _is_new(self, board: Looks, ended: Looks, last: tuple[Looks, int] | None) -> bool:
        """Return whether a board belongs to a new game.

        Other changes may be late changes to the last game, such as marks on unopened cells.
        """
        closed = board == self._surface.unopened
        if last is None:
            return bool(closed.sum() > (ended == self._surface.unopened).sum())
        before, clicked = last
        opened = before != self._surface.unopened
        return bool(closed[clicked] or 2 * closed[opened].sum() > opened.sum())
