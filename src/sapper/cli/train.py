"""`sapper train`: the trainer in the terminal."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.text import Text

from sapper._util.shortening import shown
from sapper.cli import completing
from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import emit
from sapper.coach.trainer import (
    FOCUSES,
    Answer,
    Question,
    Served,
    Standing,
    Training,
    TrainingResult,
)
from sapper.coach.trainer.record_file import RecordFile
from sapper.errors import BadSetting, SapperError
from sapper.paths import state_dir
from sapper.position import Position

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
    """
    with RecordFile(state_dir() / "train.sqlite3") as records:
        training = Training(records.transaction)
        console = Console(file=sys.stdout, highlight=False)
        solved = done = 0
        while number is None or done < number:
            served = training.puzzle(_PLAYER, focus, timed)
            if as_json:
                emit(served.to_json())
            else:
                _show(console, served)
            answer = _read(served, console, quiet=as_json)
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


def _read(served: Served, console: Console, *, quiet: bool) -> Answer | None:
    """Read lines until one is a valid answer; None at the end of the input."""
    for line in _lines(console, quiet=quiet):
        if line in ("q", "quit"):
            return None
        if line == "?":
            return Answer()
        try:
            return _parsed(served.puzzle.question, served.puzzle.position, line)
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
    left = position.cells.count(b"F")
    edge = len(str(position.height - 1))
    console.print(
        Text(" " * (edge + 1) + " ".join(str(c % 10) for c in range(position.width)), "dim")
    )
    for row, text in enumerate(position.rows):
        line = Text(f"{row:>{edge}} ", "dim")
        for char in text:
            line.append(_SHOWN.get(char, char), _STYLES.get(char))
            line.append(" ")
        console.print(line, soft_wrap=True)
    limit = "" if served.limit_s is None else f" You have {served.limit_s} s."
    console.print(_ASKED[served.puzzle.question] + limit, soft_wrap=True)
    if position.mines is not None:
        console.print(Text(f"{position.mines} mines, {left} flagged (F); # unopened", "dim"))


def _print_outcome(console: Console, outcome: TrainingResult, standing: Standing) -> None:
    verdict = outcome.verdict
    head = (
        "Solved." if outcome.solved else "Right, but too late." if outcome.late else "Not solved."
    )
    console.print(Text(head, "bold green" if outcome.solved else "bold red"), verdict.text)
    if not outcome.solved:
        for explanation in verdict.explanations:
            if explanation.text != verdict.text:
                console.print(explanation.text, soft_wrap=True)
            if explanation.board is not None:
                cells = ", ".join(map(str, explanation.board))
                console.print(f"  Mines there: {cells}.", soft_wrap=True)
            for step in explanation.steps:
                console.print(f"  {step.text}", soft_wrap=True)
    own = standing.to_json()
    console.print(
        Text(
            f"Rating {own['rating']} ± {2 * own['deviation']} ({outcome.change:+.0f}), puzzle "
            f"{outcome.puzzle_rating.rating:.0f}, streak {own['streak']}, {outcome.seconds:.1f} s",
            "dim",
        )
    )
    console.print()
