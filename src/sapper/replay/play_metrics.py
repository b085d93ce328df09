"""Metrics of a played game: time, speed, clicks and efficiency; see docs/glossary.md."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from sapper.metrics import BoardMetrics, measure
from sapper.replay.clicks import Clicks
from sapper.replay.fairness import fairness
from sapper.replay.playback import Playback

__all__ = ["RATES", "PlayMetrics", "measure_play", "path_lengths", "path_px"]

_STNB: Final = {(8, 8, 10): 47.299, (16, 16, 40): 153.73, (30, 16, 99): 435.001}
_STNB_MS_TOOLLIB: Final = {(8, 8, 10): 36.0, (16, 16, 40): 162.0, (30, 16, 99): 435.0}
_POWER: Final = 1.7
_PATH_CELL_PX: Final = 16
RATES: Final = ("left_s", "right_s", "double_s", "clicks_s", "effective_s", "flags_s")
"""Names of the rates: clicks of each kind and flags per second."""


@dataclass(frozen=True, slots=True)
class PlayMetrics:
    """The metrics of one play.

    Ratios with a divisor of 0 are None.

    Attributes:
        status: The final status.
        time_s: Time from the first opened cell to the end.
        solved: 3BV solved.
        flags: Number of flags at the end.
        clicks: Counts of clicks.
        board: The metrics of the board.
        path_px: Length of the pointer path in pixels, for cells of 16 pixels; None without a path.
        is_fair: Whether it was won and, according to the file, without help.
        is_official: Whether it is fair and in the standard mode.
    """

    status: str
    time_s: float
    solved: int
    flags: int
    clicks: Clicks
    board: BoardMetrics
    path_px: float | None
    size: tuple[int, int, int]
    is_fair: bool
    is_official: bool

    @property
    def bbbv_s(self) -> float | None:
        """3BV solved per second."""
        return _share(self.solved, self.time_s)

    @property
    def estimated_s(self) -> float | None:
        """Estimated time to solve the whole board at this speed."""
        return _share(self.time_s * self.board.bbbv, self.solved)

    @property
    def ioe(self) -> float | None:
        """IOE: 3BV solved per click."""
        return _share(self.solved, self.clicks.all)

    @property
    def corr(self) -> float | None:
        """Corr: effective clicks per click."""
        return _share(self.clicks.effective, self.clicks.all)

    @property
    def thrp(self) -> float | None:
        """ThrP: 3BV solved per effective click."""
        return _share(self.solved, self.clicks.effective)

    @property
    def rqp(self) -> float | None:
        """RQP: time divided by 3BV per second; lower is better."""
        return _share(self.time_s**2, self.solved)

    @property
    def qg(self) -> float | None:
        """QG: the time to the power of 1.7, divided by the 3BV solved."""
        return _share(self.time_s**_POWER, self.solved)

    @property
    def stnb(self) -> float | None:
        """STNB; None on boards that are not of a competitive level."""
        return self._stnb(_STNB)

    @property
    def stnb_ms_toollib(self) -> float | None:
        """STNB with the constants of ms-toollib."""
        return self._stnb(_STNB_MS_TOOLLIB)

    def _stnb(self, constants: dict[tuple[int, int, int], float]) -> float | None:
        if self.size not in constants:
            return None
        shape = self.solved * (self.solved / self.board.bbbv) ** 0.5 if self.board.bbbv else 0.0
        return _share(constants[self.size] * shape, self.time_s**_POWER)

    @property
    def left_s(self) -> float | None:
        """Left clicks per second."""
        return _share(self.clicks.left, self.time_s)

    @property
    def right_s(self) -> float | None:
        """Right clicks per second."""
        return _share(self.clicks.right, self.time_s)

    @property
    def double_s(self) -> float | None:
        """Chords per second."""
        return _share(self.clicks.double, self.time_s)

    @property
    def clicks_s(self) -> float | None:
        """Clicks of any kind per second."""
        return _share(self.clicks.all, self.time_s)

    @property
    def effective_s(self) -> float | None:
        """Effective clicks per second."""
        return _share(self.clicks.effective, self.time_s)

    @property
    def flags_s(self) -> float | None:
        """Flags at the end per second."""
        return _share(self.flags, self.time_s)

    @property
    def effective_any_flag(self) -> int:
        """Effective clicks if setting and removing any flag counts, as in rawvf2rawvf."""
        flags = self.clicks.flags_set + self.clicks.flags_removed
        return self.clicks.effective - self.clicks.effective_right + flags

    @property
    def corr_any_flag(self) -> float | None:
        """Corr if setting and removing any flag counts as effective."""
        return _share(self.effective_any_flag, self.clicks.all)

    @property
    def thrp_any_flag(self) -> float | None:
        """ThrP if setting and removing any flag counts as effective."""
        return _share(self.solved, self.effective_any_flag)

    def to_json(self) -> dict[str, Any]:
        """Return all metrics by name as JSON."""
        names = (
            "bbbv_s", "estimated_s", "ioe", "corr", "thrp", "corr_any_flag", "thrp_any_flag",
            "rqp", "qg", "stnb", "stnb_ms_toollib", *RATES,
        )  # fmt: skip
        return {
            "status": self.status,
            "time_s": self.time_s,
            "solved": self.solved,
            "flags": self.flags,
            "clicks": {
                "all": self.clicks.all,
                "effective": self.clicks.effective,
                **asdict(self.clicks),
            },
            **{name: getattr(self, name) for name in names},
            "path_px": self.path_px,
            "is_official": self.is_official,
            "is_fair": self.is_fair,
            "board": self.board.to_json(),
        }


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def measure_play(played: Playback) -> PlayMetrics:
    """Return the metrics of a play."""
    board = played.replay.board
    is_fair, is_official = fairness(played)
    return PlayMetrics(
        status=str(played.status),
        time_s=played.time_ms / 1000,
        solved=played.solved,
        flags=played.flags,
        clicks=played.clicks,
        board=measure(board),
        path_px=path_px(played),
        size=(board.topology.width, board.topology.height, board.mines),
        is_fair=is_fair,
        is_official=is_official,
    )


def path_px(played: Playback) -> float | None:
    """Return the length of the pointer path from the first opened cell, or None without a path.

    The path consists of straight lines between points on the board, in pixels for cells of 16
    pixels; points off the board are skipped.
    """
    if not played.replay.has_pointer:
        return None
    lengths = path_lengths(played)
    return float(lengths[-1]) if len(lengths) else 0.0


def path_lengths(played: Playback) -> npt.NDArray[np.float64]:
    """Return the length of the pointer path up to each event; see `path_px`."""
    replay = played.replay
    lengths = np.zeros(len(replay.events))
    if not played.opening_steps:
        return lengths
    begun = np.arange(len(lengths)) >= played.opening_steps[0].event
    on = np.flatnonzero(begun & (played.cells_at >= 0))
    x, y = (np.diff(column[on].astype(np.float64)) for column in (replay.events.x, replay.events.y))
    lengths[on[1:]] = np.hypot(x, y) * (_PATH_CELL_PX / replay.cell_px)
    return np.cumsum(lengths)
