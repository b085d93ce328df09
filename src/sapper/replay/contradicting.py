"""Find contradictions between the clicks of a replay and the data in its file."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from sapper.game import Status
from sapper.replay.playback import Playback
from sapper.translation import Text, t

__all__ = ["Contradiction", "contradictions"]

_TOLERANCE_MS: Final = 10
"""Tolerance of times in milliseconds; some programs write only two decimals."""


class Contradiction(NamedTuple):
    """A value in the file that differs from the one derived from the board and clicks.

    Attributes:
        what: ``status``, ``time_s`` or ``bbbv``; ``rules`` for settings that are not applied, which
            may explain another contradiction.
        file: The value in the file.
        clicks: The value derived from the board and clicks.
        text: A sentence with both values.
    """

    what: str
    file: Any
    clicks: Any
    text: Text

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {**self._asdict(), "text": str(self.text)}


def contradictions(played: Playback) -> tuple[Contradiction, ...]:
    """Return the values in the file that contradict the board, the clicks or Sapper's rules.

    ``status`` is included if the file says that the game was won but the clicks do not win it, or
    vice versa. Times are compared if the clicks end the game or take longer than the file says.
    """
    info, status = played.replay.info, played.status
    contradicted: list[Contradiction] = []
    if info.other_rules:
        text = t(
            "The file was recorded with {settings}, which Sapper does not apply.",
            settings=info.other_rules,
        )
        contradicted.append(Contradiction("rules", info.other_rules, "", text))
    if info.won is not None and info.won is not (status is Status.WON):
        # Some formats do not distinguish between lost and abandoned games.
        in_file = "won" if info.won else "not won"
        if info.won or status is Status.WON:
            contradicted.append(Contradiction("status", in_file, str(status), _status_text(status)))
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
            contradicted.append(Contradiction("time_s", file, clicks, text))
    bbbv = played.replay.board.bbbv
    if info.bbbv not in (None, bbbv):
        text = t(
            "The file gives a 3BV of {bbbv}, but its board has {other}.", bbbv=info.bbbv, other=bbbv
        )
        contradicted.append(Contradiction("bbbv", info.bbbv, bbbv, text))
    return tuple(contradicted)


def _status_text(status: Status) -> Text:
    """Describe how the clicks contradict the result in the file."""
    if status is Status.WON:
        return t("The file says the game was not won, but its clicks open every safe cell.")
    if status is Status.LOST:
        return t("The file says the game was won, but its clicks open a mine.")
    return t("The file says the game was won, but its clicks leave safe cells unopened.")
