"""`sapper analyze`: the exact mine probability of every unopened cell."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from sapper import solver
from sapper._grid import Known
from sapper._util.shortening import shown
from sapper._util.whole_file import written_whole
from sapper._util.work import Work
from sapper.cli import completing
from sapper.cli.answering import Density, File, Json, Mines, answer_all
from sapper.cli.picture import show, show_win_chance
from sapper.cli.signatures import Option
from sapper.errors import BadSetting
from sapper.overlays import OVERLAYS, marks_of
from sapper.position import Position
from sapper.solver import Analysis, Limit

__all__ = ["EXAMPLE", "analyze"]

EXAMPLE = r"printf '....\n.11.\n....\n' | sapper analyze --mines 2"


def analyze(
    file: File = "-",
    mines: Mines = None,
    density: Density = None,
    seconds: Annotated[
        float | None,
        Option(
            metavar="S", help="Time limit per position; beyond it, probabilities are estimated."
        ),
    ] = None,
    win_chance: Annotated[
        bool,
        Option("--win-chance", help="Report the win chance of the position and of each good cell."),
    ] = False,
    svg: Annotated[
        Path | None, Option(metavar="FILE", help="Write a picture of the position (SVG).")
    ] = None,
    overlay: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="Overlay to draw (default: chances and proved cells).",
            autocompletion=completing.overlay_names,
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Compute the exact mine probability of every unopened cell.

    All arrangements of mines that fit are equally likely or, with --density, weighted by it. Cells
    proved safe or mined are marked; unproved cells never show 0 or 100 %. --win-chance adds the
    win chance of the position and of each cell worth considering, best first. Win chances are
    exact, sampled (with their 95 % error) or estimated. Exit status 1 if no arrangement fits.
    """
    if seconds is not None and not seconds > 0:
        raise BadSetting(f"--seconds must be greater than 0, got {seconds}")
    if overlay is not None and svg is None:
        raise BadSetting("--overlay needs --svg FILE, the picture to draw it in")
    if overlay is not None and overlay not in OVERLAYS:
        raise BadSetting(f"unknown overlay {shown(overlay)}; choose from: {', '.join(OVERLAYS)}")
    draw = _drawer(svg, overlay)
    # Leave some of the time for the steps after the analysis.
    first = 0.5 if win_chance else 1.0

    def to_object(position: Position) -> dict[str, Any]:
        work = Work(seconds)
        analysis = solver.analyze(position, limit=Limit(seconds=work.part(first)))
        draw(analysis)
        answer = analysis.to_json()
        if win_chance:
            answer["win_chance"] = analysis.win_chance(
                seed=0, limit=Limit(seconds=work.left)
            ).to_json()
        return answer

    def picture(position: Position) -> None:
        work = Work(seconds)
        analysis = solver.analyze(position, limit=Limit(seconds=work.part(first)))
        draw(analysis)
        show(analysis, Work(work.part(first)))
        if win_chance:
            show_win_chance(analysis.win_chance(seed=0, limit=Limit(seconds=work.left)))

    return answer_all(file, Known(mines, density), as_json, to_object, picture)


def _drawer(svg: Path | None, overlay: str | None) -> Callable[[Analysis], None]:
    """Return a function that draws the first analysis and rejects any others."""
    drawn = False

    def draw(analysis: Analysis) -> None:
        nonlocal drawn
        if svg is None:
            return
        if drawn:
            raise BadSetting("--svg draws one position, and the input has more")
        drawn = True
        marks = None if overlay is None else marks_of(overlay, analysis.position, analysis)
        with written_whole(svg) as part:
            part.write_text(analysis.to_svg(overlay=marks), "utf-8")

    return draw
