"""`sapper read`: print the position in a screenshot."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

from sapper._util.shortening import shown
from sapper.cli import completing
from sapper.cli.output import complain, emit
from sapper.cli.signatures import Argument, Option
from sapper.errors import BadSetting
from sapper.position import Position
from sapper.solver import Limit, analyze

__all__ = ["EXAMPLE", "read"]

_SECONDS = 1.0

EXAMPLE = "sapper read tests/data/screens/sgt-mines-20-lost.png | sapper analyze"


def read(
    file: Annotated[Path, Argument(metavar="FILE.png", help="Screenshot of a board.")],
    theme: Annotated[
        str | None,
        Option(
            metavar="NAME",
            help="Theme of the program: a name or the path of a TOML file (default: detected "
            "automatically).",
            autocompletion=completing.themes,
        ),
    ] = None,
    mines: Annotated[
        int | None,
        Option(metavar="N", min=0, help="Mine total (default: read from the screenshot)."),
    ] = None,
    learn: Annotated[
        Path | None,
        Option(
            metavar="FILE.txt",
            help="Text file with the look of every cell, one line per row; adds the cells of the "
            "screenshot to the TOML file given by --theme.",
        ),
    ] = None,
    as_json: Annotated[
        bool,
        Option("--json", help="Print one JSON object with position, geometry and confidence."),
    ] = False,
) -> None:
    """Print the position in a screenshot of a program that has a theme.

    The location and size of the board are detected automatically. A cell that cannot be read with
    certainty is an error, never a guess. The board and the lowest confidence are reported on
    standard error, with warnings about uncertain or missing cells and other boards in the
    screenshot.
    """
    # Imported here because other commands work without the image library.
    from sapper import vision
    from sapper.vision.learning import learn_theme

    image = vision.load(file)
    if learn is not None:
        learn_theme(image, _text(learn), theme)
    reading = vision.read(image, theme, mines=mines)
    position = reading.position
    _check(position)
    at = reading.geometry
    size = f"{at.pitch:g}" if at.row_pitch == at.pitch else f"{at.pitch:g}x{at.row_pitch:g}"
    print(
        f"sapper: read {at.rows} rows and {at.columns} columns of {size} pixels "
        f"at x={at.x:.0f}, y={at.y:.0f}, theme {reading.theme}; "
        f"lowest confidence {reading.lowest_confidence:.2f}",
        file=sys.stderr,
    )
    for doubt in reading.doubts:
        complain(f"warning: {doubt}")
    if as_json:
        emit(_to_json(reading))
    else:
        print(position)


def _text(path: Path) -> str:
    """Return the text of the --learn file.

    Raises:
        BadSetting: If the file is not UTF-8.
    """
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError as problem:
        byte = problem.object[problem.start]
        raise BadSetting(f"cannot read {shown(str(path))}: not UTF-8: byte 0x{byte:02x}") from None


def _check(position: Position) -> None:
    """Reject a position that no arrangement of mines fits: it was misread or cut off."""
    analyze(position, limit=Limit(seconds=_SECONDS))


def _to_json(reading: Any) -> dict[str, Any]:
    at = reading.geometry
    return {
        "position": reading.position.to_json(),
        "theme": reading.theme,
        "geometry": {
            "x": at.x,
            "y": at.y,
            "pitch": at.pitch,
            "row_pitch": at.row_pitch,
            "rows": at.rows,
            "columns": at.columns,
        },
        "confidence": reading.confidence.round(3).tolist(),
        "lowest_confidence": round(reading.lowest_confidence, 3),
        "unsure": reading.unsure,
        "doubts": reading.doubts,
    }
