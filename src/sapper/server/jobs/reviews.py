"""Jobs that review a game and return lines of JSON.

The first line is ``game``, with all data needed to draw any moment; then ``decisions``, first with
risks and later with win chances; finally ``done``, with luck and skill.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from time import perf_counter
from typing import Any, Final, NamedTuple

from sapper._grid import DIGITS
from sapper._util.cancel_flag import cancel_flag
from sapper.coach import Decision, Reviewing
from sapper.coach.trainer import mistakes_of
from sapper.dealer import rules_label
from sapper.game import Status
from sapper.game.moments import Moment, moments
from sapper.game.trail import Trail
from sapper.position import FLAGGED, UNOPENED
from sapper.server.jobs.process_worker import report
from sapper.server.jobs.snapshot import Snapshot
from sapper.server.protocol import Json, encode, with_cell_names

__all__ = ["Reviewable", "first_lines", "rest_of_lines"]

_BATCH_S: Final = 0.05
"""Seconds between batches of decisions: a compromise between smooth progress and few redraws."""


class Reviewable(NamedTuple):
    """A game to review.

    Attributes:
        key: Key of the game, as in the Play page's messages, or of a day's board.
        trail: The decisions of the game.
        now: Its current state.
        helped: The reason why it does not count towards best times, or None.
    """

    key: str
    trail: Trail
    now: Snapshot
    helped: str | None

    @property
    def decisions(self) -> int:
        """Number of decisions."""
        return sum(not turn.undone for turn in self.trail.turns)


def first_lines(game: Reviewable, *, risks: bool) -> str:
    """Return the line of the game and, with `risks`, the line of all decisions with risks."""
    lines = [encode(_game_json(game))]
    if risks:
        work = Reviewing(game.trail, game.now.status, cancel_flag())
        steps = list(islice(work, work.total // 2))
        decisions = [step.decision for step in steps]
        lines.append(_decisions(decisions, len(steps), work.total))
    return "".join(f"{line}\n" for line in lines)


def rest_of_lines(game: Reviewable, *, whole: bool) -> str:
    """Report the lines after `first_lines` as they are computed, and return the last one.

    Args:
        game: The game.
        whole: Whether to also report the line of the game and the decisions with risks.
    """
    if whole:
        report(first_lines(game, risks=False))
    work = Reviewing(game.trail, game.now.status, cancel_flag())
    batch: list[Decision] = []
    sent = perf_counter()
    for step in work:
        if not whole and step.done <= step.total // 2:
            continue
        batch.append(step.decision)
        if step.done == step.total or perf_counter() - sent >= _BATCH_S:
            report(f"{_decisions(batch, step.done, step.total)}\n")
            batch, sent = [], perf_counter()
    result = work.result.to_json()
    del result["decisions"]
    moves = [mistake.move for mistake in mistakes_of(work.result)]
    return f"{encode({'type': 'done', **result, 'mistakes': moves})}\n"


def _decisions(decisions: Iterable[Decision], done: int, total: int) -> str:
    listed = [_named(decision.to_json()) for decision in decisions]
    return encode({"type": "decisions", "done": done, "total": total, "decisions": listed})


def _named(decision: dict[str, Any]) -> dict[str, Any]:
    """Replace the cell names in a proof's text with the page's names."""
    for step in (decision["proof"] or {}).get("steps", ()):
        step["text"] = with_cell_names(step["text"])
    return decision


def _game_json(game: Reviewable) -> Json:
    """Return the data to draw the position before each decision and at the end."""
    trail, now = game.trail, game.now
    level = trail.settings.level
    shape = now.position.topology
    moves, last = [], None
    for moment in moments(trail):
        moves.append({"covered": _covered(last, moment), **_opened(moment)})
        last = moment
    closed = now.position.without_flags()
    ending = [] if last is None else _closed_again(last.after.cells, closed.cells)
    over = now.status in (Status.WON, Status.LOST)
    return {
        "type": "game",
        "key": game.key,
        "level": str(level),
        "width": shape.width,
        "height": shape.height,
        "mines": level.mines,
        "density": level.density,
        "topology": level.topology,
        "rules_label": rules_label(trail.settings.rules),
        "status": str(now.status),
        "helped": game.helped,
        "origin": None if trail.origin is None else trail.origin.to_json()["rows"],
        "moves": moves,
        "covered": ending,
        "mined": _mined(game) if over else None,
    }


def _covered(last: Moment | None, moment: Moment) -> list[int]:
    """Return the cells that undo closed between decisions."""
    return [] if last is None else _closed_again(last.after.cells, moment.position.cells)


def _closed_again(before: bytes, after: bytes) -> list[int]:
    closed = ord(UNOPENED)
    return [
        index
        for index, (was, now) in enumerate(zip(before, after, strict=True))
        if now == closed and was != closed
    ]


def _opened(moment: Moment) -> Json:
    turn = moment.turn
    return {
        "opened": list(turn.cells),
        "numbers": "".join(DIGITS[number] for number in turn.numbers),
        "exploded": turn.exploded,
        "cell": turn.cell,
    }


def _mined(game: Reviewable) -> list[int]:
    """Return the mines of a finished game as indices."""
    if game.trail.board is not None:
        return [index for index, mine in enumerate(game.trail.board.mined) if mine]
    # A won game has a flag on every mine.
    return [index for index, char in enumerate(game.now.position.cells) if char == ord(FLAGGED)]
