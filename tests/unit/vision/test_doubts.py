"""Pictures of part of a board, or of several boards, are read correctly, refused or reported."""

from __future__ import annotations

import numpy as np
import pytest

from sapper import analyze, vision
from sapper.errors import SapperError
from sapper.vision.geometry import Image
from support.marks import slow
from support.screens import SCREENS, reading, screen

NAMES = sorted(path.stem for path in SCREENS.glob("*.png"))
CLEAR = [name for name in NAMES if name not in ("kmines-29-dense", "kmines-29-eights")]

QUICK = ("sgt-mines-20-lost", "xbomb-20-lost", "xdemineur-21-lost")
"""Pictures that are searched for other boards in less than a second, noisy as they may be."""


def outcome(image: Image, looks: list[str]) -> str:
    """Return how a picture with these looks was read."""
    try:
        found = vision.read(image)
        analyze(found.position)
    except SapperError:
        return "refused"
    if found.geometry.columns == len(looks[0]) and found.looks.decode() == "".join(looks):
        return "right"
    return "flagged" if found.doubts else "misread"


@pytest.mark.parametrize("name", [name if name in QUICK else slow(name) for name in CLEAR])
def test_a_clear_picture_leaves_no_doubts(name: str) -> None:
    """Every cell is certain, and nothing suggests that the board is larger."""
    found = reading(name)
    assert found.doubts == []
    assert found.unsure == 0
    assert found.lowest_confidence > 0.75


@pytest.mark.parametrize(
    ("name", "spread"),
    [
        (name, spread) if spread == 10 and name in QUICK else slow(name, spread)
        for name in NAMES
        for spread in (10, 40)
    ],
)
@pytest.mark.family
def test_noise_is_never_misread_silently(name: str, spread: int) -> None:
    """Noise that hides cells, even whole rows or columns, is reported."""
    image, looks = screen(name)
    noise = np.random.default_rng(1).normal(0, spread, image.shape)
    assert outcome(np.clip(image + noise, 0, 255).astype(np.uint8), looks) != "misread"


@pytest.mark.parametrize("name", [name if name in QUICK else slow(name) for name in NAMES])
@pytest.mark.parametrize(
    ("side", "share"),
    [("left", 0.35), slow("top", 0.2), slow("bottom", 0.5)],
)
def test_a_cropped_picture_is_never_misread_silently(name: str, side: str, share: float) -> None:
    """Cells beyond the picture's edge are reported as missing."""
    image, looks = screen(name)
    height, width = (int(size * share) for size in image.shape[:2])
    cropped = {
        "top": image[height:],
        "bottom": image[:-height],
        "left": image[:, width:],
        "right": image[:, :-width],
    }[side]
    assert outcome(cropped, looks) != "misread"


@pytest.mark.parametrize("name", ["sgt-mines-20-lost", "sgt-mines-41-open", "xdemineur-21-lost"])
def test_a_half_covered_board_is_never_misread_silently(name: str) -> None:
    """The visible part of a covered row is reported."""
    image, looks = screen(name)
    at = reading(name).geometry
    covered = image.copy()
    covered[round(at.y + (at.rows // 2 + 0.5) * at.pitch) :] = 200
    assert outcome(covered, looks) in ("refused", "flagged")


@pytest.mark.parametrize("axis", [0, slow(1)])
@pytest.mark.parametrize("name", ["kmines-29-fresh", "sgt-mines-20-lost", "xdemineur-21-lost"])
def test_second_board_is_reported(name: str, axis: int) -> None:
    """The doubt gives the location of the other board, or nothing is read."""
    image, _ = screen(name)
    try:
        found = vision.read(np.concatenate([image, image], axis=axis))
    except SapperError:
        return
    [other] = found.others
    assert abs((other.y - found.geometry.y, other.x - found.geometry.x)[axis]) >= 200
    assert any("another board" in doubt for doubt in found.doubts)


def test_rows_hidden_by_noise_are_detected() -> None:
    """The picture is refused if there are more cells next to the located board."""
    image, _ = screen("sgt-mines-20-lost")
    found = reading("sgt-mines-20-lost")
    fewer = found.geometry.__class__(
        found.geometry.x, found.geometry.y, found.geometry.pitch, 8, found.geometry.columns
    )
    matcher = vision.reading._matcher(vision.load_theme(found.theme), found.geometry.size)
    with pytest.raises(vision.Unreadable, match="more cells follow below"):
        vision.doubts.check_sides(image, fewer, matcher)
