"""Read and write pictures as arrays."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import BinaryIO

import numpy as np

from sapper._util.installing import pip_install
from sapper._util.whole_file import written_whole
from sapper.errors import MissingExtra
from sapper.vision.errors import NoBoard
from sapper.vision.geometry import Image

try:
    from PIL import Image as Picture
    from PIL import UnidentifiedImageError
except ImportError as missing:
    raise MissingExtra(f"Pillow is not installed: {pip_install('vision')}") from missing

__all__ = ["MOST_PIXELS", "load", "resized", "save"]

MOST_PIXELS = 40_000_000
"""Maximum size of a picture; a small file can declare any size."""

_DAMAGED = (ValueError, SyntaxError, EOFError, OverflowError, IndexError, struct.error, zlib.error)


def load(path: Path | str | BinaryIO) -> Image:
    """Load a picture as RGB from a path or an open file.

    Raises:
        OSError: If the file cannot be opened.
        NoBoard: If the file is not a picture or has more than 40 megapixels.
    """
    name = f" {str(path)!r}" if isinstance(path, Path | str) else ""
    try:
        with Picture.open(path) as picture:
            pixels = picture.width * picture.height
            if pixels > MOST_PIXELS:
                raise NoBoard(
                    f"picture{name} has {picture.width}x{picture.height} pixels; "
                    f"at most {MOST_PIXELS:,} are read"
                )
            return np.asarray(picture.convert("RGB"))
    except NoBoard:
        raise
    except FileNotFoundError:
        raise
    except UnidentifiedImageError:
        # Pillow's message may contain the memory address of an object.
        raise NoBoard(f"cannot read picture{name}: unknown format, or damaged") from None
    # Pillow raises a different error for each kind of damage.
    except (Picture.DecompressionBombError, *_DAMAGED) as problem:
        raise NoBoard(f"cannot read picture{name}: {problem}") from None
    except OSError as problem:
        if problem.errno is not None:
            raise
        # Keep Pillow's own message, for example about a truncated file.
        raise NoBoard(f"cannot read picture{name}: {problem}") from None


def save(image: Image, path: Path) -> None:
    """Save a picture as PNG, creating missing directories."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with written_whole(path) as temporary:
        Picture.fromarray(np.ascontiguousarray(image)).save(temporary, "PNG", optimize=True)


def resized(image: Image, width: int, height: int) -> Image:
    """Return the picture scaled to another size."""
    picture = Picture.fromarray(image).resize((width, height), Picture.Resampling.BICUBIC)
    return np.asarray(picture)
