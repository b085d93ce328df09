"""`sapper review`: the decisions of a saved game, with risks, win chances and verdicts."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final

from sapper import coach
from sapper._util.shortening import shown
from sapper._util.whole_file import written_whole
from sapper.cli.exit_status import ExitStatus
from sapper.cli.input import LONGEST, BadInput, opened
from sapper.cli.output import complain, emit
from sapper.cli.signatures import Argument, Option
from sapper.cli.terminal import Line, print_lines, progress_bars
from sapper.coach import Decision, Kind, Progress, Review, Value
from sapper.coach.summary import Luck
from sapper.errors import BadSave
from sapper.game import Game
from sapper.replay import candidates
from sapper.stats import percent_text

__all__ = ["EXAMPLE", "review"]

EXAMPLE = "sapper review game.json --svg decisive.svg"

_NO_LUCK: Final = 0.0005
"""Luck below this prints as 0.0 points."""
_KINDS = {
    Kind.PROVED: ("proved", "dim"),
    Kind.FORCED_GUESS: ("forced guess", "yellow"),
    Kind.GOOD_GUESS: ("good guess", "green"),
    Kind.NEEDLESS_GUESS: ("needless guess", "bold magenta"),
    Kind.BLUNDER: ("blunder", "bold red"),
}
_HEAD = "   #  cell      verdict           risk  least   chosen    best   loss  best cell"


def review(
    file: Annotated[
        str,
        Argument(metavar="FILE|-", help="Saved game as JSON; - reads standard input."),
    ],
    every: Annotated[bool, Option("--all", help="Also list each proved decision.")] = False,
    svg: Annotated[
        Path | None,
        Option(metavar="FILE", help="Write a picture of the decisive moment (SVG)."),
    ] = None,
    as_json: Annotated[bool, Option("--json", help="Print the review as JSON.")] = False,
) -> int:
    """Review a saved game: the risk of each decision and the best choice.

    List the guesses with the risk taken, the lowest risk, the win chances of the chosen and the
    best cell, and the loss in points (a point is 1 % of all games). Show the board at the move that
    lost the game or the most points, and how much of the result was luck. `*` marks sampled
    chances, `~` estimated ones. Cells are (row, column), counted from 0 at the top left. Exit
    status 1 if no cell was opened.
    """
    game = _game(file)
    with _bar() as progress:
        result = coach.review(game, progress=progress)
    decisive = _decisive(result)
    if svg is not None and decisive is not None:
        with written_whole(svg) as made:
            made.write_text(_picture(result, decisive), encoding="utf-8")
    if as_json:
        emit({"level": str(game.level), **result.to_json()})
    elif not result.decisions:
        print("no cell was opened")
    else:
        _show(result, game, decisive, every=every)
    return ExitStatus.DONE if result.decisions else ExitStatus.NEGATIVE


def _game(path: str) -> Game:
    if path == "-" and sys.stdin is not None and sys.stdin.isatty():
        complain("reading a saved game from the terminal; press Ctrl-D to end it")
    with opened(path) as source:
        data = source.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise BadInput(f"a saved game has at most {LONGEST} bytes")
    if not data.strip():
        raise BadSave("the input is empty")
    if forms := candidates(data):
        raise BadSave(
            f"{shown(path)} looks like a replay ({forms[0]}), not a saved game; "
            "use sapper replay analyze --win-chances"
        )
    try:
        return Game.from_json(json.loads(data.decode("utf-8-sig")))
    except UnicodeDecodeError as problem:
        raise BadSave(f"not UTF-8: byte 0x{data[problem.start]:02x}") from None
    except json.JSONDecodeError as problem:
        raise BadSave(
            f"not JSON at line {problem.lineno}, column {problem.colno}: {problem.msg}"
        ) from None
    except RecursionError:
        raise BadSave("not a saved game: the JSON is nested too deeply") from None
    except ValueError as problem:
        # Python refuses to convert numbers with thousands of digits.
        if isinstance(problem, BadSave):
            raise
        raise BadSave(f"not a saved game: {problem}") from None


@contextmanager
def _bar() -> Iterator[Callable[[Progress], object] | None]:
    """Yield a callback that draws a progress bar, on standard error if it is a terminal."""
    with progress_bars() as bars:
        if bars is None:
            yield None
        else:
            yield lambda step: bars.update(
                "reviewing", step.done, step.total, f"{step.done}/{step.total}"
            )


def _decisive(result: Review) -> int | None:
    """Return the decision to show: the one that lost the game, or the most win chance."""
    return result.lost_at if result.lost_at is not None else result.costliest


def _picture(result: Review, index: int) -> str:
    decision = result.decisions[index]
    marks: dict[str, Any] = {"chosen": [decision.cell], "safe": decision.safe}
    if decision.proof is not None:
        marks["ring"] = decision.proof.because
    if decision.best is not None:
        marks["best"] = [decision.best]
    if decision.exploded:
        marks["mine"] = [decision.cell]
    return result.position(index).to_svg(
        marks=marks,
        coordinates=0,
        title=f"Decision {index} at {decision.cell}: {_KINDS[decision.kind][0]}",
    )


def _show(result: Review, game: Game, decisive: int | None, *, every: bool) -> None:
    print_lines(Line(_HEAD, "dim"))
    proved: list[Decision] = []
    for decision in result.decisions:
        if decision.kind is Kind.PROVED and not every:
            proved.append(decision)
            continue
        _print_proved(proved)
        proved = []
        print_lines(_line(decision))
    _print_proved(proved)
    print()
    if decisive is not None:
        _print_decisive(result, decisive)
    for line in _summary(result, game):
        print_lines(line)
    sys.stdout.flush()


def _print_proved(proved: list[Decision]) -> None:
    if proved:
        first, last = proved[0].index, proved[-1].index
        where = f"{first}" if first == last else f"{first}-{last}"
        cells = "1 cell" if len(proved) == 1 else f"{len(proved)} cells"
        print_lines(Line(f"{where:>9}  {cells} proved safe", "dim"))


def _line(decision: Decision) -> Line:
    word, style = _KINDS[decision.kind]
    loss = "" if decision.loss is None else f"{100 * decision.loss:.1f}"
    best = "" if decision.best in (None, decision.cell) else str(decision.best)
    line = Line(f"{decision.index:>4}  {str(decision.cell).replace(' ', ''):<9} ")
    line.append(f"{word:<15}", style)
    line.append(
        f" {100 * decision.p_mine:>5.1f}% {100 * decision.least:>5.1f}%"
        f"  {_chance(decision.chosen):>7} {_chance(decision.before):>7} {loss:>6}  {best}"
    )
    notes = [
        note
        for note, true in (
            ("mine", decision.exploded),
            ("undone", decision.undone),
            ("chord", decision.chord is not None),
            ("allowed by the rules", decision.granted),
            ("forbidden by the rules", decision.forbidden),
        )
        if true
    ]
    if decision.pattern is not None:
        notes.append(f"missed: {decision.pattern.title}")
    if notes:
        line.append(f"{' ' if best else ''}[{', '.join(notes)}]", "dim")
    return line


def _chance(value: Value | None) -> str:
    if value is None:
        return "?"
    sign = {"exact": "", "sampled": "*", "estimated": "~"}[value.kind]
    return f"{sign}{100 * value.win_chance:.1f}%"


def _print_decisive(result: Review, index: int) -> None:
    decision, position = result.decisions[index], result.position(index)
    lost = "The game was lost here" if decision.exploded else "Most points were lost here"
    print_lines(f"{lost}, at {decision.cell}:")
    special = dict.fromkeys(decision.safe, ("S", "bold green"))
    if decision.best is not None:
        special[decision.best] = ("B", "bold green")
    special[decision.cell] = ("X" if decision.exploded else "O", "bold red")
    edge = len(str(position.height - 1))
    for row in range(position.height):
        line = Line(f"{row:>{edge}} ", "dim")
        for col in range(position.width):
            char, style = special.get((row, col), ("", ""))  # type: ignore[call-overload]
            seen = position[row, col]
            line.append(char or ("·" if seen == "0" else seen), style)
        print_lines(line)
    legend = ["X the mine that was opened" if decision.exploded else "O the cell opened"]
    if decision.best is not None and decision.best != decision.cell:
        legend.append("B the best cell")
    if decision.safe:
        legend.append("S proved safe")
    print_lines(Line(", ".join(legend), "dim"))
    for step in decision.steps:
        print_lines(f"  {step.text}")
    print()


def _counted(count: int, kind: Kind) -> str:
    word = _KINDS[kind][0]
    ends = {Kind.PROVED: "", Kind.BLUNDER: "s"}.get(kind, "es")
    return f"{count} {word}{'' if count == 1 else ends}"


def _summary(result: Review, game: Game) -> Iterator[str]:
    yield f"game       {game.level}, rules {result.rules}, {result.status}"
    counts = [_counted(count, kind) for kind, count in result.counts.items() if count]
    yield f"decisions  {', '.join(counts)}"
    luck = result.luck
    if luck is None:
        yield "luck       not known: no win chance was computed"
        return
    yield f"start      {_start(luck)}"
    yield f"skill      {100 * luck.lost:.1f} points of win chance lost"
    points = f"{100 * luck.luck:+.1f} points" if abs(luck.luck) >= _NO_LUCK else "none"
    # Together, the losses of several guesses may exceed the initial chance.
    expected = f"expected {100 * luck.expected:.1f} %, " if luck.expected >= 0 else ""
    yield f"luck       {points}: {expected}result {100 * luck.result:.1f} %"
    yield f"survival   {100 * luck.survival:.1f} % chance that no guess hits a mine"


def _start(luck: Luck) -> str:
    """Describe the win chance at the start: the position it refers to, and its kind."""
    since = f"before decision {luck.index}" if luck.index else "at the start"
    where = "after the first click" if luck.promised else since
    return f"{percent_text(luck.start, luck.error)} win chance {where} ({luck.kind})"
