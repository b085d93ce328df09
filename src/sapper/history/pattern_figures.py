"""How often the player of a game used and missed each pattern, and the time to see it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple, Self

from sapper.coach.pattern_name import missed_pattern, pattern_name
from sapper.database.connection import Connection
from sapper.game import Game
from sapper.game.moments import Moment, moments
from sapper.position import Position
from sapper.replay import Playback, Replay, ReplayAnalysis, ReplayChoice, analyze_replay, from_json
from sapper.solver.witnesses import Witnesses

__all__ = ["PatternCount", "counts_of", "pattern_counts", "save_pattern_counts"]


class PatternCount(NamedTuple):
    """A pattern in one game or several.

    Attributes:
        pattern: The id of the pattern.
        seen: Number of opened cells that it proved, and no single number did.
        missed: Number of guesses while it proved another cell safe.
        ms: Total time from the previous click to each of the `seen` cells, in milliseconds.
    """

    pattern: str
    seen: int
    missed: int
    ms: int

    def __add__(self, other: Any) -> Self:
        """Return the sum of two counts of the same pattern."""
        if not isinstance(other, PatternCount):
            return NotImplemented
        return self._replace(
            seen=self.seen + other.seen, missed=self.missed + other.missed, ms=self.ms + other.ms
        )


def pattern_counts(moves: dict[str, Any]) -> tuple[PatternCount, ...]:
    """Return the counts of a finished game, by pattern.

    Args:
        moves: The game, in the form of `Record.moves`.

    Raises:
        SapperError: If the moves cannot be played.
    """
    replay = Replay.from_game(Game.from_json(moves)) if "actions" in moves else from_json(moves)
    return counts_of(analyze_replay(Playback(replay)))


def counts_of(analysis: ReplayAnalysis) -> tuple[PatternCount, ...]:
    """Return the counts of an analyzed game, by pattern."""
    found: dict[str, PatternCount] = {}
    replayed = moments(analysis.played.trail)
    for choice in analysis.choices:
        for count in _counts(choice, list(islice(replayed, len(choice.decisions)))):
            before = found.get(count.pattern)
            found[count.pattern] = count if before is None else before + count
    return tuple(found[name] for name in sorted(found))


def _counts(choice: ReplayChoice, opened: Iterable[Moment]) -> Iterable[PatternCount]:
    """Yield the counts of one click; the time counts for the first cell of a chord."""
    thought_ms = choice.thought_ms
    for decision, moment in zip(choice.decisions, opened, strict=True):
        position = moment.position
        if decision.is_guess:
            missed = missed_pattern(position, decision.safe) if decision.safe else None
            if missed is not None:
                yield PatternCount(missed.id, 0, 1, 0)
        elif not decision.promised and not _is_trivial(position, moment.turn.cell):
            seen = pattern_name(position, decision.cell)
            if seen is not None:
                yield PatternCount(seen.id, 1, 0, thought_ms)
                thought_ms = 0


def _is_trivial(position: Position, cell: int) -> bool:
    return any(not witness.mines for _, witness in Witnesses(position).around(cell))


def save_pattern_counts(
    db: Connection, owner: str, key: str, counts: Iterable[PatternCount]
) -> None:
    """Save the counts of a game in the current transaction."""
    db.execute("DELETE FROM pattern_counts WHERE owner = ? AND key = ?", (owner, key))
    db.executemany(
        "INSERT INTO pattern_counts (owner, key, pattern, seen, missed, ms) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        [(owner, key, *count) for count in counts],
    )
