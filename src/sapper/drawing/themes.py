"""Picture colours: the light and dark variants of the web app's modern look."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from sapper._util.registry import Registry, enter
from sapper._util.shortening import shown
from sapper.errors import BadSetting

__all__ = ["STEPS", "THEMES", "Theme", "register"]

STEPS: Final = 10
"""Number of steps of the chance scale; all are below one half, where guesses are decided."""


@dataclass(frozen=True)
class Theme:
    """The colours of a picture, named as in the web app's style sheet.

    Attributes:
        colours: A colour as ``#rrggbb`` for each name. Names used only by the style sheet, such as
            ``shade``, are allowed.
        label: Name of the theme for players.
    """

    colours: Mapping[str, str]
    label: str = ""

    def __getitem__(self, name: str) -> str:
        """Return one colour."""
        return self.colours[name]

    def changed(self, label: str, **colours: str) -> Theme:
        """Return a copy with changed colours; underscores in names stand for hyphens.

        >>> THEMES["light"].changed("Night", heat_0="#101020")["heat-0"]
        '#101020'
        """
        renamed = {name.replace("_", "-"): colour for name, colour in colours.items()}
        return Theme({**self.colours, **renamed}, label)

    @cached_property
    def is_dark(self) -> bool:
        """Whether the background is darker than the text."""
        return _oklab(self["surface"])[0] < _oklab(self["text"])[0]

    @cached_property
    def heat(self) -> tuple[str, ...]:
        """The tints of chances, from the lowest to one half and above."""
        low, high = self["heat-0"], self["heat-9"]
        return tuple(_mixed(low, high, step / (STEPS - 1)) for step in range(STEPS))

    @cached_property
    def far_heat(self) -> tuple[tuple[str, str], ...]:
        """The tints for cells that touch no number, for each of the two face colours."""
        faces = self["face"], self["face-2"]
        return tuple(
            (_mixed(faces[0], tint, 0.22), _mixed(faces[1], tint, 0.22)) for tint in self.heat
        )

    @cached_property
    def tints(self) -> Mapping[str, str]:
        """The colours of tinted cells in an overlay, by the name of the tint."""
        low, high = self["heat-0"], self["heat-9"]
        shares = {"low": 0.06, "medium": 0.36, "high": 0.8}
        return {
            "safe": self["safe-tint"],
            "danger": self["danger-tint"],
            "unknown": self.colours.get("unknown-tint", _UNKNOWN_TINT[self.is_dark]),
            **{name: _mixed(low, high, share) for name, share in shares.items()},
        }

    @cached_property
    def unknown(self) -> str:
        """The colour of the mark on cells that are not proved."""
        return self.colours.get("unknown", _UNKNOWN[self.is_dark])

    @cached_property
    def far_text(self) -> str:
        """Text colour of chances on cells that touch no number."""
        return _mixed(self["face"], self["question"], 0.7)


# Colours that a theme may leave out, each for light and dark pages.
_UNKNOWN: Final = ("#6d5200", "#e2cd83")
_UNKNOWN_TINT: Final = ("#ece0b4", "#55492a")

# The style sheets mix colours in Oklab, defined in B. Ottosson, "A perceptual color space for
# image processing" (2020).
_TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
_FROM_LAB = (
    (1.0, 0.3963377774, 0.2158037573),
    (1.0, -0.1055613458, -0.0638541728),
    (1.0, -0.0894841775, -1.2914855480),
)
_FROM_LMS = (
    (4.0767416621, -3.3077115913, 0.2309699292),
    (-1.2684380046, 2.6097574011, -0.3413193965),
    (-0.0041960863, -0.7034186147, 1.7076147010),
)

_Vector = tuple[float, ...]


def _times(matrix: tuple[_Vector, ...], vector: _Vector) -> _Vector:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def _mixed(first: str, second: str, part: float) -> str:
    """Mix two colours, given the share of the second."""
    pairs = zip(_oklab(first), _oklab(second), strict=True)
    return _hex(tuple(a + (b - a) * part for a, b in pairs))


def _oklab(colour: str) -> _Vector:
    channels = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return _times(_TO_LAB, tuple(v ** (1 / 3) for v in _times(_TO_LMS, linear)))


def _hex(lab: _Vector) -> str:
    linear = _times(_FROM_LMS, tuple(v**3 for v in _times(_FROM_LAB, lab)))
    bounded = (min(max(v, 0.0), 1.0) for v in linear)
    channels = (12.92 * v if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055 for v in bounded)
    return "#" + "".join(f"{round(255 * v):02x}" for v in channels)


_LIGHT = {
    "surface": "#fbfaf8",
    "text": "#23221f",
    "soft": "#615e57",
    "line": "#dcd9d2",
    "face": "#9fc3e6",
    "face-2": "#93b9df",
    "open": "#f7f5ef",
    "open-2": "#efece4",
    "hit": "#ef5350",
    "n1": "#1756c4",
    "n2": "#256f2b",
    "n3": "#c62828",
    "n4": "#4527a0",
    "n5": "#8d3a0e",
    "n6": "#00695c",
    "n7": "#26262b",
    "n8": "#5f6368",
    "n9": "#ad1457",
    "n10": "#566300",
    "n11": "#5d4037",
    "n12": "#984800",
    "flag": "#c62828",
    "pole": "#1e2b3a",
    "mine": "#26262b",
    "glint": "#ffffff",
    "cross": "#c62828",
    "question": "#14283d",
    "safe": "#0f7a36",
    "danger": "#c20d2b",
    "mark": "#ffffff",
    "safe-tint": "#b9e0bd",
    "danger-tint": "#f2bcbc",
    "hint": "#00a843",
    "hint-2": "#8a5fd0",
    "heat-0": "#e6e0ec",
    "heat-9": "#5b2a86",
    "heat-text": "#1d1326",
    "heat-text-deep": "#ffffff",
}
_DARK = {
    **_LIGHT,
    "surface": "#1f2125",
    "text": "#e9e7e2",
    "soft": "#a7a59f",
    "line": "#34373d",
    "face": "#3d5673",
    "face-2": "#45607f",
    "open": "#23262b",
    "open-2": "#282b31",
    "hit": "#c23b3b",
    "n1": "#7fb2ff",
    "n2": "#7fce86",
    "n3": "#ff8a80",
    "n4": "#b9a3ff",
    "n5": "#f0a36b",
    "n6": "#5fd0c3",
    "n7": "#f0eee9",
    "n8": "#b3b6bb",
    "n9": "#ff9ecb",
    "n10": "#d3de7a",
    "n11": "#d7bfae",
    "n12": "#ffc46b",
    "flag": "#ff7b72",
    "pole": "#e9eef5",
    "mine": "#f0eee9",
    "glint": "#23262b",
    "cross": "#ff5a50",
    "question": "#eaf2fb",
    "safe": "#8fdc9b",
    "danger": "#ff9a94",
    "mark": "#14181d",
    "safe-tint": "#24553a",
    "danger-tint": "#6b2b30",
    "heat-0": "#38333f",
    "heat-9": "#b68cff",
    "heat-text": "#f2ecfa",
    "heat-text-deep": "#190f26",
}
THEMES: Final[Registry[Theme]] = Registry({"light": Theme(_LIGHT), "dark": Theme(_DARK)})
"""Every theme by name; `register` adds others."""

_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
_COLOUR_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")


def register(name: str, theme: Theme) -> Theme:
    """Add a theme to `THEMES` and return it.

    Raises:
        BadSetting: If a colour is missing or is not ``#rrggbb``, or the name is taken or invalid.
    """
    for key in {**_LIGHT, **theme.colours}:
        colour = theme.colours.get(key)
        if not isinstance(colour, str) or not _COLOUR.fullmatch(colour):
            raise BadSetting(
                f"theme {shown(name)}: {shown(key)} must be #rrggbb, got {shown(colour)}"
            )
        if not _COLOUR_NAME.fullmatch(key):
            raise BadSetting(f"theme {shown(name)}: {shown(key)} is not the name of a colour")
    enter(THEMES, "theme", name, theme)
    return theme
