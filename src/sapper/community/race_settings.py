"""Race settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

from sapper._util.arguments import switch, whole
from sapper._util.names import member
from sapper.community.live_board import check_rules
from sapper.community.message import field_values
from sapper.errors import BadSetting
from sapper.rules import INTERMEDIATE, Level
from sapper.translation import LabelledEnum

__all__ = [
    "MOST_CELLS",
    "RATED",
    "RATED_RULES",
    "Boards",
    "Mine",
    "RaceSettings",
    "check_rated",
    "check_size",
    "saved_settings",
]

MOST_CELLS: Final = 10_000
"""Maximum number of cells of a board that several people play."""
RATED: Final = {
    "freeze_ms": 5_000,
    "countdown_ms": 5_000,
    "late_ms": 30_000,
    "silence_ms": 60_000,
    "limit_ms": 900_000,
    "break_ms": 10_000,
}
"""The times of rated races, which a host cannot change."""
RATED_RULES: Final = ("no-guess", "classic")
"""The rule sets of rated races."""
_HOUR_MS: Final = 3_600_000


class Mine(LabelledEnum):
    """The penalty for a mine in a race."""

    FREEZE = "freeze"
    """A few seconds without actions."""
    OUT = "out"
    """Exclusion from the rest of the race."""


class Boards(LabelledEnum):
    """The boards of a race."""

    SAME = "same"
    """Everyone has the same board."""
    DIFFERENT = "different"
    """Everyone has another board of equal difficulty."""


@dataclass(frozen=True, slots=True)
class RaceSettings:
    """Race settings.

    Attributes:
        level: The level of the board.
        rules: A rule set with mines that never move.
        best_of: The maximum number of rounds in a match; the first player to win more than half of
            them ends it.
        mine: The penalty for a mine.
        boards: Whether everyone has the same board, or another one that is equally hard.
        rated: Whether the race counts for ratings; watchers then see it late.
        most: Maximum number of players.
        freeze_ms: How long a mine freezes a player.
        countdown_ms: Time from the start of a round to its first action.
        late_ms: How long players may join a running round.
        silence_ms: A player without an action for this long is silent, and the round does not wait.
        limit_ms: The longest round.
        break_ms: Time between two rounds of a match.

    Raises:
        BadSetting: If a value is out of range, the rules move mines, or a rated race has other
            times or rules than those of `RATED` and `RATED_RULES`.
    """

    level: Level = INTERMEDIATE
    rules: str = "no-guess"
    best_of: int = 1
    mine: Mine = Mine.FREEZE
    boards: Boards = Boards.SAME
    rated: bool = False
    most: int = 50
    freeze_ms: int = 5_000
    countdown_ms: int = 5_000
    late_ms: int = 30_000
    silence_ms: int = 60_000
    limit_ms: int = 900_000
    break_ms: int = 10_000

    def __post_init__(self) -> None:
        object.__setattr__(self, "level", Level.of(self.level))
        object.__setattr__(self, "mine", member(Mine, self.mine, "mine"))
        object.__setattr__(self, "boards", member(Boards, self.boards, "boards"))
        check_size(self.level)
        check_rules(self.level, self.rules)
        switch(self.rated, "rated")
        if whole(self.best_of, "best_of", least=1, most=15) % 2 == 0:
            raise BadSetting(f"best_of must be odd, got {self.best_of}")
        whole(self.most, "most", least=2, most=50)
        for name in ("freeze_ms", "countdown_ms", "late_ms", "break_ms"):
            whole(getattr(self, name), name, most=_HOUR_MS)
        for name in ("silence_ms", "limit_ms"):
            whole(getattr(self, name), name, least=1_000, most=_HOUR_MS)
        if self.rated:
            if self.rules not in RATED_RULES:
                allowed = " or ".join(RATED_RULES)
                raise BadSetting(f"rated races have the rules {allowed}, got {self.rules}")
            check_rated(self, RATED)

    @property
    def rating_rules(self) -> str:
        """What distinguishes its rating list from the usual one of its level; often empty."""
        words = [self.rules] if self.rules != "no-guess" else []
        words += [str(self.mine)] if self.mine is not Mine.FREEZE else []
        words += [str(self.boards)] if self.boards is not Boards.SAME else []
        return " ".join(words)

    def to_json(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            **field_values(self),
            "level": str(self.level),
            "mine": str(self.mine),
            "boards": str(self.boards),
        }

    @classmethod
    def from_json(cls, obj: dict[str, Any]) -> Self:
        """Read the JSON form.

        Raises:
            BadSetting: If a value is invalid.
        """
        return cls(**obj)

    @classmethod
    def from_saved(cls, obj: dict[str, Any]) -> Self:
        """Read a saved JSON form. If its rules can no longer be rated, the race continues unrated.

        Raises:
            BadSetting: If a value is invalid.
        """
        return saved_settings(cls, obj)


_Settings = TypeVar("_Settings")


def saved_settings(cls: Callable[..., _Settings], obj: dict[str, Any]) -> _Settings:
    """Return saved settings, without `rated` if they cannot be rated."""
    try:
        return cls(**obj)
    except BadSetting:
        if not obj.get("rated"):
            raise
        return cls(**{**obj, "rated": False})


def check_rated(settings: object, fixed: Mapping[str, int]) -> None:
    """Check that rated settings have the fixed values.

    Raises:
        BadSetting: If a value is another one.
    """
    for name, value in fixed.items():
        if (given := getattr(settings, name)) != value:
            raise BadSetting(f"rated games have the fixed {name} {value}, got {given}")


def check_size(level: Level) -> None:
    """Reject boards that are too large to be sent to many people.

    Raises:
        BadSetting: If there are too many cells.
    """
    if (size := level.shape().size) > MOST_CELLS:
        raise BadSetting(f"boards of rooms have at most {MOST_CELLS:,} cells, {level} has {size:,}")
