"""Read and write pictures as arrays."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from sapper.errors import MissingExtra
from sapper.vision.errors import NoBoard
from sapper.vision.geometry import Image

try:
    from PIL import Image as Picture
    from PIL import UnidentifiedImageError
except ImportError as missing:
    raise MissingExtra("Pillow is not installed: pip install 'sapper[vision]'") from missing

__all__ = ["load", "resized", "save"]


def load(path: Path | str) -> Image:
    """Load a picture file as RGB.

    Raises:
        OSError: If there is no such file.
        NoBoard: If it is no picture.
    """
    try:
        with Picture.open(path) as picture:
            return np.asarray(picture.convert("RGB"))
    except (UnidentifiedImageError, Picture.DecompressionBombError) as problem:
        raise NoBoard(f"cannot read picture {str(path)!r}: {problem}") from None


def save(image: Image, path: Path) -> None:
    """Save a picture as PNG, and create missing directories."""
    path.parent.mkdir(parents=True, exist_ok=True)
    Picture.fromarray(np.ascontiguousarray(image)).save(path, optimize=True)


def resized(image: Image, width: int, height: int) -> Image:
    """Return the picture in another size."""
    made = Picture.fromarray(image).resize((width, height), Picture.Resampling.BICUBIC)
    return np.asarray(made)
