"""`sapper train`: the trainer in the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Final

from sapper._util.shortening import shown
from sapper.cli import completing
from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import emit
from sapper.cli.signatures import Option
from sapper.cli.terminal import Line, print_lines
from sapper.coach.practice import Practice, PracticeResult
from sapper.coach.trainer import (
    FOCUSES,
    Answer,
    Question,
    Served,
    Standing,
    Training,
    TrainingResult,
    Verdict,
)
from sapper.coach.trainer.record_file import RecordFile
from sapper.errors import BadSetting, SapperError
from sapper.paths import state_dir
from sapper.position import Position
from sapper.topology import Cell

__all__ = ["EXAMPLE", "train"]

EXAMPLE = "sapper train --focus two -n 10"

_PLAYER: Final = "terminal"
_ASKED: Final = {
    Question.SAFE: "Find a cell that is proved safe, and type it as ROW,COLUMN.",
    Question.ALL: (
        "Find every cell that is proved. Type safe cells as ROW,COLUMN and mines as *ROW,COLUMN."
    ),
    Question.GUESS: "Nothing is proved safe. Type the cell with the best chance of winning.",
}
_MARKED: Final = (
    "Find every cell that the marked numbers (~) prove. Type safe cells as ROW,COLUMN and mines as "
    "*ROW,COLUMN, or 0 if nothing is proved."
)
_NOTHING: Final = Answer()
"""The answer that nothing is proved; another empty answer gives up."""
_STYLES: Final = {
    "1": "blue",
    "2": "green",
    "3": "red",
    "4": "magenta",
    "5": "yellow",
    "6": "cyan",
    "F": "bold red",
    ".": "bold",
}
_SHOWN: Final = {"0": "·", ".": "#"}
_CELL: Final = re.compile(r"(\*?)(\d{1,3}),(\d{1,3})")


def train(
    focus: Annotated[
        str,
        Option(
            metavar="KIND",
            help=f"What to practise: {', '.join(FOCUSES)}.",
            autocompletion=completing.one_of(FOCUSES),
        ),
    ] = "mixed",
    patterns: Annotated[
        bool,
        Option("--patterns", help="Practise the patterns that are due today instead."),
    ] = False,
    timed: Annotated[bool, Option("--timed", help="Count late answers as mistakes.")] = False,
    number: Annotated[
        int | None, Option("-n", min=1, metavar="N", help="Stop after N puzzles.")
    ] = None,
    as_json: Annotated[
        bool,
        Option("--json", help="Print puzzles and results as JSON Lines."),
    ] = False,
) -> int:
    """Solve puzzles from real games, near your rating.

    Answers are lines on standard input: cells as ROW,COLUMN, counted from 0 at the top left; `?`
    gives up and shows the solution, `q` quits. A mistake is explained by a proof. Flags mark
    known mines. The rating (Glicko-2) is saved in train.sqlite3 in the directory of saved games,
    which `sapper doctor` prints; the web app has a separate rating.
    With --patterns, each position has some marked numbers: type every cell that they prove, or `0`
    if they prove nothing. Patterns are repeated at growing intervals.
    """
    with RecordFile(state_dir() / "train.sqlite3") as records:
        if patterns:
            return _practise(records, number, as_json=as_json)
        training = Training(records.transaction)
        solved = done = 0
        while number is None or done < number:
            served = training.puzzle(_PLAYER, focus, timed)
            if as_json:
                emit(served.to_json())
            else:
                _show(served)
            answer = _read(served.puzzle.question, served.puzzle.position, quiet=as_json)
            if answer is None:
                break
            outcome = training.answer(_PLAYER, served.puzzle.id, answer)
            done, solved = done + 1, solved + outcome.solved
            standing = training.standing(_PLAYER)
            if as_json:
                emit({**outcome.to_json(), "standing": standing.to_json()})
            else:
                _print_outcome(outcome, standing)
        if not as_json and done:
            print_lines(f"{solved} of {done} solved.")
    return ExitStatus.DONE


def _practise(records: RecordFile, number: int | None, *, as_json: bool) -> int:
    """Practise the patterns that are due today."""
    practice = Practice(records.transaction)
    done = solved = 0
    while number is None or done < number:
        served = practice.next(_PLAYER)
        if served is None:
            break
        exercise = served.exercise
        if as_json:
            emit(served.to_json())
        else:
            _show_board(exercise.position, exercise.numbers)
            print_lines(_MARKED)
        answer = _read(Question.ALL, exercise.position, quiet=as_json, nothing=True)
        if answer is None:
            return ExitStatus.DONE
        nothing = answer is _NOTHING
        result = practice.answer(_PLAYER, exercise.id, answer, nothing=nothing)
        done, solved = done + 1, solved + result.verdict.solved
        if as_json:
            emit({**result.to_json(), "practice": practice.standing(_PLAYER).to_json()})
        else:
            _print_verdict(result.verdict, _head(result.verdict.solved))
            _print_pattern(result)
    if not as_json:
        left = practice.standing(_PLAYER)
        print_lines(f"{solved} of {done} solved; {left.due + left.new} left today.")
    return ExitStatus.DONE


def _print_pattern(result: PracticeResult) -> None:
    told = result.to_json()
    name = told["name"]
    if told["friend"]:
        name = f"{told['friend_name']}, which looks like {name}"
    hours = 0 if result.card is None else (result.card.due - result.card.reviewed) / 3600
    again = "again today" if hours < 1 else f"again in {round(hours / 24)} d"
    print_lines(Line(f"{name} ({told['change']:+d}), {again}", "dim"))
    print()


def _read(
    question: Question,
    position: Position,
    *,
    quiet: bool,
    nothing: bool = False,
) -> Answer | None:
    """Read lines until one is a valid answer; None at the end of the input."""
    for line in _lines(quiet=quiet):
        if line in ("q", "quit"):
            return None
        if line == "?":
            return Answer()
        if nothing and line == "0":
            return _NOTHING
        try:
            return _parsed(question, position, line)
        except SapperError as problem:
            if quiet:
                emit({"error": problem.to_json()})
            else:
                print_lines(Line(str(problem), "red"))
    return None


def _lines(*, quiet: bool) -> Iterator[str]:
    while True:
        if not quiet:
            print("> ", end="")
            sys.stdout.flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            if not quiet:
                print()
            return
        if line.strip():
            yield line.strip()


def _parsed(question: Question, position: Position, line: str) -> Answer:
    safe: list[tuple[int, int]] = []
    mined: list[tuple[int, int]] = []
    for word in line.split():
        match = _CELL.fullmatch(word)
        if match is None:
            raise BadSetting(f"a cell is written ROW,COLUMN such as 3,4, got {shown(word)}")
        (mined if match[1] else safe).append((int(match[2]), int(match[3])))
    if question is not Question.ALL and (mined or len(safe) > 1):
        raise BadSetting("the answer here is one cell")
    return Answer.of(position, safe, mined)


def _show(served: Served) -> None:
    position = served.puzzle.position
    _show_board(position)
    limit = "" if served.limit_s is None else f" You have {served.limit_s} s."
    print_lines(_ASKED[served.puzzle.question] + limit)


def _show_board(position: Position, numbers: Iterable[Cell] = ()) -> None:
    """Print a position, with some numbers marked, and its mine total."""
    left, marked = position.cells.count(b"F"), set(numbers)
    edge = len(str(position.height - 1))
    print_lines(
        Line(" " * (edge + 1) + " ".join(str(c % 10) for c in range(position.width)), "dim")
    )
    for row, text in enumerate(position.rows):
        line = Line(f"{row:>{edge}} ", "dim")
        for col, char in enumerate(text):
            is_marked = (row, col) in marked
            style = f"{_STYLES.get(char, '')} reverse" if is_marked else _STYLES.get(char, "")
            line.append(_SHOWN.get(char, char), style)
            line.append("~" if is_marked else " ")
        print_lines(line)
    if position.mines is not None:
        print_lines(Line(f"{position.mines} mines, {left} flagged (F); # unopened", "dim"))


def _print_outcome(outcome: TrainingResult, standing: Standing) -> None:
    head = "Right, but too late." if outcome.late else _head(outcome.solved)
    _print_verdict(outcome.verdict, head)
    own = standing.to_json()
    print_lines(
        Line(
            f"Rating {own['rating']} ± {2 * own['deviation']} ({outcome.change:+.0f}), puzzle "
            f"{outcome.puzzle_rating.rating:.0f}, streak {own['streak']}, {outcome.seconds:.1f} s",
            "dim",
        )
    )
    print()


def _head(solved: bool) -> str:
    return "Solved." if solved else "Not solved."


def _print_verdict(verdict: Verdict, head: str) -> None:
    """Print a verdict, and the explanations of a wrong or late answer."""
    solved = head == _head(True)
    print_lines(Line(head, "bold green" if solved else "bold red").append(f" {verdict.text}"))
    if not solved:
        for explanation in verdict.explanations:
            if explanation.text != verdict.text:
                print_lines(explanation.text)
            if explanation.board is not None:
                cells = ", ".join(map(str, explanation.board))
                print_lines(f"  Mines there: {cells}.")
            for step in explanation.steps:
                print_lines(f"  {step.text}")
