"""Convert analyses to messages for the browser: overlay, marks, hint, review.

Everything except the review uses only the player's view, never the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from sapper.board import Board
from sapper.coach.pattern_name import PatternName, missed_pattern, pattern_name
from sapper.dealer import DEALERS
from sapper.dealer.kaboom_aids import advice, figures, marks
from sapper.errors import LimitReached
from sapper.game.guesses import Guesses
from sapper.game.post_mortem import PostMortem
from sapper.position import UNOPENED, Position
from sapper.rules import OptionValue, Settings
from sapper.server import limits
from sapper.server.protocol import Json
from sapper.solver import Analysis, Limit, analyze, both_ways, hint_from, proof_steps
from sapper.topology import Cell, cell_name
from sapper.translation import t

__all__ = [
    "first_hint",
    "granted_guesses",
    "guesses_message",
    "hint_message",
    "look",
    "marks_message",
    "review_message",
]

# Nothing waits for this analysis, but even on a wide custom board it should not take minutes.
_LIMIT: Final = Limit(seconds=2.0)

# This is more digits than are ever displayed.
_DIGITS: Final = 6

# Maximum number of safe cells listed in the explanation of a loss.
_MOST_LIT: Final = 10_000

# On larger boards, drawing two complete boards takes far longer than the hint itself.
_MOST_DRAWN: Final = 2_500


def look(position: Position) -> Analysis:
    """Analyse a position in the time that a player is willing to wait."""
    return analyze(position, limit=_LIMIT)


def marks_message(
    analysis: Analysis, position: Position, options: Mapping[str, OptionValue], turn: int
) -> Json:
    """Return Kaboom's debug view: a mark for every unopened cell, statistics and a hint.

    Args:
        analysis: Analysis of the position without flags.
        position: The position with flags, which the hint uses.
        options: Options of the rules.
        turn: Turn number of the position.
    """
    shown_figures = figures(analysis)
    return {
        "type": "marks",
        "turn": turn,
        "marks": "".join(mark or " " for mark in marks(analysis)),
        "frontier": shown_figures.frontier,
        "outside": shown_figures.outside,
        "least": shown_figures.least,
        "most": shown_figures.most,
        "ms": round(1000 * shown_figures.elapsed_s, 2),
        "advice": advice(replace(analysis, position=position), **options),
    }


def first_hint(position: Position, turn: int, re: str | None) -> Json:
    """Return the hint for the first click, which is safe anywhere: the centre."""
    shape = position.topology
    return {
        "type": "hint",
        "re": re,
        "turn": turn,
        "cell": [shape.height // 2, shape.width // 2],
        "action": "open",
        "p_mine": 0.0,
        "proved": True,
        "sentence": t("The first click is safe anywhere."),
        "because": [],
        "safe_count": shape.size,
        "first": True,
        "exact": True,
    }


def hint_message(
    analysis: Analysis, position: Position, settings: Settings, turn: int, re: str | None
) -> Json:
    """Return a hint message: the cell to open next, with the reason.

    A proof has its `steps`, and the `pattern` that proves the cell, if it has a name. If nothing is
    proved, `ways` has two arrangements that fit, one with a mine on the cell and one without, or
    null if drawing them would take too long.

    Args:
        analysis: Analysis of the position without flags.
        position: The position with flags.
        settings: The settings of the game; some rules make certain guesses safe.
        turn: Turn number of the position.
        re: Id of the message to answer.

    Raises:
        IllegalAction: If every unopened cell must be a mine.
    """
    hint = hint_from(analysis)
    granted = granted_guesses(analysis, settings)
    if granted and not hint.proved:
        index = min(granted, key=lambda i: (float(analysis.p_mine.flat[i]), i))
        cell = analysis.position.topology.cell(index)
        risk = float(analysis.p_mine[cell])
        hint = replace(hint, cell=cell, p_mine=risk, win_chance=None, kind=None, least_risky=None)
    figures = hint.to_json()
    del figures["proof"]
    message = {
        "type": "hint",
        "re": re,
        "turn": turn,
        **figures,
        "granted": bool(granted),
        "rules": settings.rules,
        "safe_count": len(analysis.safe),
        "exact": analysis.exact,
    }
    if hint.proof is not None:
        message["sentence"] = hint.proof.sentence(cell_name)
        steps = proof_steps(analysis.position, hint.proof, place=cell_name)
        message["steps"] = [step.to_json() for step in steps]
        message["pattern"] = _pattern_json(pattern_name(analysis.position, hint.cell))
    elif not hint.proved:
        message["ways"] = _ways(analysis, hint.cell)
    own = DEALERS[settings.rules].advice(replace(analysis, position=position), settings)
    if own is not None:
        message["advice"] = own
    return message


def _ways(analysis: Analysis, cell: Cell) -> Json | None:
    """Return two arrangements that fit, as indices of mines; None if drawing takes too long."""
    if not analysis.exact or analysis.position.topology.size > _MOST_DRAWN:
        return None
    try:
        drawn = both_ways(analysis.position, cell, seed=0, limit=_LIMIT)
    except LimitReached:
        return None
    return drawn and {"mined": _mines(drawn[0]), "clear": _mines(drawn[1])}


def granted_guesses(analysis: Analysis, settings: Settings) -> list[int]:
    """Return the indices of unproved cells that the rules make safe to open."""
    return DEALERS[settings.rules].granted(analysis, settings)


def guesses_message(guesses: Guesses, turn: int, *, over: bool = False) -> Json:
    """Return the message with the guess counts and, after the game, each guess."""
    message: Json = {
        "type": "guesses",
        "turn": turn,
        "made": guesses.made,
        "forced": guesses.forced,
        "needless": guesses.needless,
    }
    if over:
        message["each"] = [
            {
                "cell": list(guess.cell),
                "p": round(guess.p_mine, _DIGITS),
                "least": round(guess.least, _DIGITS),
                "safe": guess.safe_count,
                "exploded": guess.exploded,
                "forbidden": guess.forbidden,
            }
            for guess in guesses.each
        ]
    return message


def review_message(loss: PostMortem, position: Position, turn: int) -> Json:
    """Return the message that explains a loss; it reveals mines, so use it only for lost games.

    Args:
        loss: The explanation of the loss.
        position: The final position.
        turn: Turn number of the position.
    """
    wrong_flags = []
    before = position.without_flags()
    index = position.topology.index(loss.cell)
    cells = before.cells[:index] + UNOPENED.encode() + before.cells[index + 1 :]
    before = before.showing(cells, running=loss.chord is None)
    # Two boards of a million cells are too large to send.
    big = position.topology.size > limits.SMALL_CELLS
    if loss.chord is not None:
        around = position.topology.neighbours(loss.chord)
        wrong_flags = [at for at in around if position[at] == "F" and not loss.board.is_mine(at)]
    return {
        "type": "review",
        "turn": turn,
        "cell": list(loss.cell),
        "p": round(loss.p_mine, _DIGITS),
        "least": round(loss.least, _DIGITS),
        "safe": [list(cell) for cell in sorted(loss.safe)[:_MOST_LIT]],
        "mined": [] if big else _mines(loss.board),
        "clear": None if big or loss.clear_board is None else _mines(loss.clear_board),
        "sentence": loss.sentence,
        "pattern": _pattern_json(missed_pattern(before, loss.safe) if loss.safe else None),
        "wrong_flags": [list(cell) for cell in wrong_flags],
        "exact": loss.exact,
    }


def _pattern_json(pattern: PatternName | None) -> Json | None:
    return None if pattern is None else pattern.to_json()


def _mines(board: Board) -> list[int]:
    return [index for index, mine in enumerate(board.mined) if mine]
