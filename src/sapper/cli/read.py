"""`sapper read`: print the position in a screenshot."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sapper.cli.output import emit

__all__ = ["EXAMPLE", "read"]

EXAMPLE = "sapper read tests/data/screens/sgt-mines-20-lost.png | sapper analyze"


def read(
    file: Annotated[Path, typer.Argument(metavar="FILE.png", help="Screenshot of a board.")],
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Theme of the program: a name or the path of a TOML file (default: detected "
            "automatically).",
        ),
    ] = None,
    mines: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Mine total (default: read from the picture)."),
    ] = None,
    learn: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.txt",
            help="Text file with the look of every cell, one line per row; adds the picture's "
            "cells to the TOML file given by --theme.",
        ),
    ] = None,
    as_json: Annotated[
        bool,
        typer.Option(
            "--json", help="Print one JSON object with position, geometry and confidence."
        ),
    ] = False,
) -> None:
    """Print the position in a screenshot of any Minesweeper program.

    The place and size of the board are detected automatically. A cell that cannot be read with
    certainty is an error, never a guess.
    """
    # Imported here because other commands work without the image library.
    from sapper import vision
    from sapper.vision.learning import learn_theme

    image = vision.load(file)
    if learn is not None:
        learn_theme(image, learn.read_text("utf-8"), theme)
    found = vision.read(image, theme, mines=mines)
    if as_json:
        emit(_to_json(found))
    else:
        print(found.position)


def _to_json(found: Any) -> dict[str, Any]:
    at = found.geometry
    return {
        "position": found.position.to_json(),
        "theme": found.theme,
        "geometry": {
            "x": at.x,
            "y": at.y,
            "pitch": at.pitch,
            "rows": at.rows,
            "columns": at.columns,
        },
        "confidence": found.confidence.round(3).tolist(),
    }
