"""Fuzz picture reading: cut, scaled, recoloured or noisy screenshots, and damaged files.

`sapper.vision.load` and `read` must answer or raise a `SapperError` or `OSError`. If every cell
stays legible, the result must match the picture.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from random import Random

import numpy as np
from fuzzing import fuzz
from PIL import Image

from sapper import vision
from sapper.errors import SapperError

SCREENS = Path(__file__).parents[1] / "data" / "screens"
NAMES = sorted(path.stem for path in SCREENS.glob("*.png"))


def damaged(rng: Random, data: bytes) -> bytes:
    """A picture file that is cut short or has some bytes changed."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 20)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed[: rng.randint(1, len(changed))] if rng.random() < 0.3 else changed)


def changed(rng: Random, image: np.ndarray) -> np.ndarray:
    """A picture after cutting, turning, scaling or adding noise."""
    height, width, _ = image.shape
    how = rng.randrange(6)
    noise = np.random.default_rng(rng.randrange(2**32))
    if how == 0:
        top, left = rng.randrange(height), rng.randrange(width)
        return image[top:, left:]
    if how == 1:
        return np.rot90(image, rng.randint(1, 3)).copy()
    if how == 2:
        size = max(1, int(width * rng.uniform(0.2, 2.0))), max(1, int(height * rng.uniform(0.2, 2)))
        return np.asarray(Image.fromarray(image).resize(size))
    if how == 3:
        spread = noise.normal(0, rng.uniform(1, 120), image.shape)
        return np.clip(image + spread, 0, 255).astype(np.uint8)
    if how == 4:
        return 255 - image
    return np.concatenate([image, image], axis=rng.randrange(2))


def case(rng: Random) -> None:
    """Read one picture."""
    data = (SCREENS / f"{rng.choice(NAMES)}.png").read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.png"
        if rng.random() < 0.5:
            path.write_bytes(damaged(rng, data))
        else:
            image = changed(rng, np.asarray(Image.open(io.BytesIO(data)).convert("RGB")))
            if 0 in image.shape:
                return
            Image.fromarray(np.ascontiguousarray(image)).save(path)
        try:
            found = vision.read(vision.load(path))
            position = found.position
        except (SapperError, OSError):
            return
    # Any position that is read must have consistent numbers.
    assert found.confidence.shape == (position.height, position.width)
    cells, shape = position.cells, position.topology
    for at, char in enumerate(cells):
        if char in b"012345678":
            around = [cells[n] for n in shape.graph.neighbours(at)]
            open_to = sum(near in b".F*" for near in around)
            assert char - ord("0") <= open_to, f"{chr(char)} at {shape.cell(at)} cannot be"


if __name__ == "__main__":
    fuzz(case, __doc__)
