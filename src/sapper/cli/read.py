"""`sapper read`: the position that a screenshot shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from sapper.cli.output import emit

__all__ = ["EXAMPLE", "read"]

EXAMPLE = "sapper read tests/data/screens/sgt-mines-20-lost.png | sapper analyze"


def read(
    file: Annotated[Path, typer.Argument(metavar="FILE.png", help="A picture of a board.")],
    theme: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="How the program draws its cells: a theme's name, or the path of your own TOML "
            "file; found out where left out.",
        ),
    ] = None,
    mines: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, help="The mine total; where left out, it is read if it is shown."
        ),
    ] = None,
    learn: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.txt",
            help="The looks that the picture shows, one line a row: they are kept as the theme "
            "that --theme names by the path of a TOML file.",
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object, with geometry and confidence.")
    ] = False,
) -> None:
    """Print the position that a screenshot of any Minesweeper shows.

    Where the board is, and how large, is found out. A cell that is not read surely is refused,
    never guessed.
    """
    # Pictures need a library that other commands do without.
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
