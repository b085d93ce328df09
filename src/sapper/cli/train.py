"""`sapper train`: the trainer in the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from sapper._util.shortening import shown
from sapper.cli import completing
from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import emit
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
        typer.Option(
            metavar="KIND",
            help=f"What to practise: {', '.join(FOCUSES)}.",
            autocompletion=completing.one_of(FOCUSES),
        ),
    ] = "mixed",
    patterns: Annotated[
        bool,
        typer.Option("--patterns", help="Practise the patterns that are due today instead."),
    ] = False,
    timed: Annotated[bool, typer.Option("--timed", help="Count late answers as mistakes.")] = False,
    number: Annotated[
        int | None, typer.Option("-n", min=1, metavar="N", help="Stop after N puzzles.")
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option("--json", help="Print puzzles and results as JSON Lines."),
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
        console = Console(file=sys.stdout, highlight=False)
        solved = done = 0
        while number is None or done < number:
            served = training.puzzle(_PLAYER, focus, timed)
            if as_json:
                emit(served.to_json())
            else:
                _show(console, served)
            answer = _read(served.puzzle.question, served.puzzle.position, console, quiet=as_json)
            if answer is None:
                break
            outcome = training.answer(_PLAYER, served.puzzle.id, answer)
            done, solved = done + 1, solved + outcome.solved
            standing = training.standing(_PLAYER)
            if as_json:
                emit({**outcome.to_json(), "standing": standing.to_json()})
            else:
                _print_outcome(console, outcome, standing)
        if not as_json and done:
            console.print(f"{solved} of {done} solved.")
    return ExitStatus.DONE


def _practise(records: RecordFile, number: int | None, *, as_json: bool) -> int:
    """Practise the patterns that are due today."""
    practice, console = Practice(records.transaction), Console(file=sys.stdout, highlight=False)
    done = solved = 0
    while number is None or done < number:
        served = practice.next(_PLAYER)
        if served is None:
            break
        exercise = served.exercise
        if as_json:
            emit(served.to_json())
        else:
            _show_board(console, exercise.position, exercise.numbers)
            console.print(_MARKED, soft_wrap=True)
        answer = _read(Question.ALL, exercise.position, console, quiet=as_json, nothing=True)
        if answer is None:
            return ExitStatus.DONE
        nothing = answer is _NOTHING
        result = practice.answer(_PLAYER, exercise.id, answer, nothing=nothing)
        done, solved = done + 1, solved + result.verdict.solved
        if as_json:
            emit({**result.to_json(), "practice": practice.standing(_PLAYER).to_json()})
        else:
            _print_verdict(console, result.verdict, _head(result.verdict.solved))
            _print_pattern(console, result)
    if not as_json:
        left = practice.standing(_PLAYER)
        console.print(f"{solved} of {done} solved; {left.due + left.new} left today.")
    return ExitStatus.DONE


def _print_pattern(console: Console, result: PracticeResult) -> None:
    told = result.to_json()
    name = told["name"]
    if told["friend"]:
        name = f"{told['friend_name']}, which looks like {name}"
    hours = 0 if result.card is None else (result.card.due - result.card.reviewed) / 3600
    again = "again today" if hours < 1 else f"again in {round(hours / 24)} d"
    console.print(Text(f"{name} ({told['change']:+d}), {again}", "dim"))
    console.print()


def _read(
    question: Question,
    position: Position,
    console: Console,
    *,
    quiet: bool,
    nothing: bool = False,
) -> Answer | None:
    """Read lines until one is a valid answer; None at the end of the input."""
    for line in _lines(console, quiet=quiet):
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
                console.print(Text(str(problem), "red"), soft_wrap=True)
    return None


def _lines(console: Console, *, quiet: bool) -> Iterator[str]:
    while True:
        if not quiet:
            console.print("> ", end="")
            sys.stdout.flush()
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            if not quiet:
                console.print()
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


def _show(console: Console, served: Served) -> None:
    position = served.puzzle.position
    _show_board(console, position)
    limit = "" if served.limit_s is None else f" You have {served.limit_s} s."
    console.print(_ASKED[served.puzzle.question] + limit, soft_wrap=True)


def _show_board(console: Console, position: Position, numbers: Iterable[Cell] = ()) -> None:
    """Print a position, with some numbers marked, and its mine total."""
    left, marked = position.cells.count(b"F"), set(numbers)
    edge = len(str(position.height - 1))
    console.print(
        Text(" " * (edge + 1) + " ".join(str(c % 10) for c in range(position.width)), "dim")
    )
    for row, text in enumerate(position.rows):
        line = Text(f"{row:>{edge}} ", "dim")
        for col, char in enumerate(text):
            is_marked = (row, col) in marked
            style = f"{_STYLES.get(char, '')} reverse" if is_marked else _STYLES.get(char)
            line.append(_SHOWN.get(char, char), style)
            line.append("~" if is_marked else " ")
        console.print(line, soft_wrap=True)
    if position.mines is not None:
        console.print(Text(f"{position.mines} mines, {left} flagged (F); # unopened", "dim"))


def _print_outcome(console: Console, outcome: TrainingResult, standing: Standing) -> None:
    head = "Right, but too late." if outcome.late else _head(outcome.solved)
    _print_verdict(console, outcome.verdict, head)
    own = standing.to_json()
    console.print(
        Text(
            f"Rating {own['rating']} ± {2 * own['deviation']} ({outcome.change:+.0f}), puzzle "
            f"{outcome.puzzle_rating.rating:.0f}, streak {own['streak']}, {outcome.seconds:.1f} s",
            "dim",
        )
    )
    console.print()


def _head(solved: bool) -> str:
    return "Solved." if solved else "Not solved."


def _print_verdict(console: Console, verdict: Verdict, head: str) -> None:
    """Print a verdict, and the explanations of a wrong or late answer."""
    solved = head == _head(True)
    console.print(Text(head, "bold green" if solved else "bold red"), verdict.text)
    if not solved:
        for explanation in verdict.explanations:
            if explanation.text != verdict.text:
                console.print(explanation.text, soft_wrap=True)
            if explanation.board is not None:
                cells = ", ".join(map(str, explanation.board))
                console.print(f"  Mines there: {cells}.", soft_wrap=True)
            for step in explanation.steps:
                console.print(f"  {step.text}", soft_wrap=True)
