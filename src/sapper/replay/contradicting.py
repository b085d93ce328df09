"""Contradictions between the clicks of a replay and the data in its file."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sapper.game import Status
from sapper.replay.playback import Playback
from sapper.translation import Text, t

__all__ = ["Contradiction", "contradictions"]

_TOLERANCE_MS: Final = 10
"""Some programs write times with two digits."""


class Contradiction(NamedTuple):
    """A value in the file, and the value from its board and clicks.

    Attributes:
        what: ``status``, ``time_s`` or ``bbbv``.
        file: The value in the file.
        clicks: The value by board and clicks.
        text: Both in a sentence.
    """

    what: str
    file: Any
    clicks: Any
    text: Text

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**self._asdict(), "text": str(self.text)}


def contradictions(played: Playback) -> tuple[Contradiction, ...]:
    """Return every value in the file that board and clicks contradict.

    The result is ``status`` if the file says that the game was won and the clicks do not win it,
    or the reverse. Times are compared where the clicks end the game, or take longer than the file
    says.
    """
    info, status = played.replay.info, played.status
    found: list[Contradiction] = []
    if info.won is not None and info.won is not (status is Status.WON):
        # Some formats have one value for games that were lost and games that were left.
        said = "won" if info.won else "not won"
        if info.won or status is Status.WON:
            found.append(Contradiction("status", said, str(status), _status_text(status)))
    over = status in (Status.WON, Status.LOST)
    if info.time_ms is not None:
        longer_ms = played.time_ms - info.time_ms
        if longer_ms > _TOLERANCE_MS or (over and -longer_ms > _TOLERANCE_MS):
            file, clicks = info.time_ms / 1000, played.time_ms / 1000
            text = t(
                "The file says {time} s, but its clicks take {other} s.",
                time=f"{file:.3f}",
                other=f"{clicks:.3f}",
            )
            found.append(Contradiction("time_s", file, clicks, text))
    bbbv = played.replay.board.bbbv
    if info.bbbv not in (None, bbbv):
        text = t("The file says 3BV {bbbv}, but its board has {other}.", bbbv=info.bbbv, other=bbbv)
        found.append(Contradiction("bbbv", info.bbbv, bbbv, text))
    return tuple(found)


def _status_text(status: Status) -> Text:
    """Return how the clicks contradict the result in the file."""
    if status is Status.WON:
        return t("The file says not won, but its clicks open every safe cell.")
    if status is Status.LOST:
        return t("The file says won, but its clicks open a mine.")
    return t("The file says won, but its clicks leave safe cells unopened.")
