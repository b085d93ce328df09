"""The figures of a finished game that are determined by its moves."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, Self

from sapper._util.shortening import shown
from sapper.errors import BadReplay, BadSave
from sapper.game import Game, Status
from sapper.history.measures import variant_of
from sapper.replay import Playback, contradictions
from sapper.translation import sentences, t

__all__ = ["GameFigures", "refuse_false_result"]

_LATE_S: Final = 1.0
"""Seconds by which a clock may stop after the last click, once its effect is computed."""


@dataclass(frozen=True, slots=True)
class GameFigures:
    """Figures computed from the moves of a finished game; `Record` describes them.

    Attributes:
        times_ms: Final times of the game's clocks: the player's and, if it was used, the solver's.
    """

    rules: str
    variant: str
    level: str
    first_click: str
    won: bool
    bbbv: int
    clicks: int
    effective: int
    times_ms: tuple[int, ...]

    @classmethod
    def of_game(cls, game: Game, bbbv: int | None = None) -> Self:
        """Return the figures of a finished game, given its 3BV if it is known."""
        settings, counts, clock = game.settings, game.counts, game.clock
        times_s = [clock.player_s, *filter(None, [clock.solver_s])]
        return cls(
            rules=settings.rules,
            variant=variant_of(settings),
            level=str(settings.level),
            first_click=str(settings.first_click),
            won=game.status is Status.WON,
            bbbv=game.board.bbbv if bbbv is None else bbbv,
            clicks=counts.clicks,
            effective=counts.effective,
            times_ms=tuple(round(1000 * time) for time in times_s),
        )

    @classmethod
    def of_replay(cls, played: Playback) -> Self:
        """Return the figures of the replay of a finished game."""
        settings, mode = played.trail.settings, played.replay.info.mode
        return cls(
            rules="classic" if mode == "standard" else mode,
            variant="",
            level=str(settings.level),
            first_click=str(settings.first_click),
            won=played.status is Status.WON,
            bbbv=played.replay.board.bbbv,
            clicks=played.clicks.all,
            effective=played.clicks.effective,
            times_ms=(played.time_ms,),
        )

    def check(self, record: dict[str, Any], openings: int) -> None:
        """Reject a record whose figures differ from these.

        Args:
            record: Fields of `Record` by name.
            openings: Number of cells opened individually, which is the maximum number of guesses.

        Raises:
            BadSave: If a figure differs; the message includes its name and both values.
        """
        for one in fields(self):
            saved, actual = record.get(one.name), getattr(self, one.name)
            if one.name == "variant":
                # A name such as "daily" is a separate variant, whatever the settings.
                if saved and "=" not in saved and not actual:
                    continue
            elif one.name not in record:
                continue
            if saved != actual:
                raise BadSave(f"{one.name!r} is {shown(saved)}, but the moves show {shown(actual)}")
        # Thinking time counts only in games with actions by a bot.
        times = self.times_ms if record["bot"] or record["helped"] else self.times_ms[:1]
        if record["time_ms"] not in times:
            raise BadSave(f"'time_ms' is {record['time_ms']}, but the moves show {times[0]}")
        self._check_measures(record, openings)

    def _check_measures(self, record: dict[str, Any], openings: int) -> None:
        """Reject impossible figures without analysing the moves, which would take long."""
        solved, risk = record["solved"], record["risk"]
        kinds = record["forced_guesses"], record["needless_guesses"]
        if solved is not None and solved > self.bbbv:
            raise BadSave(f"'solved' is {solved}, more than the 3BV of {self.bbbv}")
        if len({value is None for value in (*kinds, risk)}) > 1:
            raise BadSave("guesses and their risk must be known together, or not at all")
        if risk is None:
            return
        guesses = sum(kinds)
        if guesses > openings:
            raise BadSave(f"{guesses} guesses, but the moves show {openings} openings")
        if risk > guesses:
            raise BadSave(f"'risk' is {shown(risk)}, more than that of {guesses} guesses")


def refuse_false_result(played: Playback) -> None:
    """Reject a replay whose result or time is impossible.

    Raises:
        BadReplay: If the result in the file contradicts the clicks, or if a won game's time in the
            file exceeds the time according to its clicks by more than a second, or is 0 despite
            several clicks.
    """
    won = played.status is Status.WON
    found = contradictions(played)
    for one in found:
        # If the clicks take longer than the file says, the player gains nothing, so accept that.
        shorter = won and one.what == "time_s" and one.file - one.clicks > _LATE_S
        if one.what == "status" or shorter:
            raise BadReplay(sentences(*(o.text for o in found if o is one or o.what == "rules")))
    if won and len(played.opening_steps) > 1 and not played.time_ms:
        raise BadReplay(t("all clicks of this won game have the same time"))
