"""Registered themes for the web app: styles, and entries in the list of colours."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from sapper.drawing import THEMES, Theme

__all__ = ["theme_options", "theme_styles"]

# A theme colours the board; the page stays light or dark as chosen by the player.
_OF_THE_PAGE: Final = ("surface", "text", "soft", "line")


def _registered() -> Iterator[tuple[str, Theme]]:
    """Return the themes that are not part of the style sheets."""
    return ((name, theme) for name, theme in THEMES.items() if name not in ("light", "dark"))


def theme_styles() -> str:
    """Return the style sheet of all registered themes, which overrides every look."""
    return "".join(_style(name, theme) for name, theme in _registered())


def _style(name: str, theme: Theme) -> str:
    colours = {"far-text": theme.far_text, **theme.colours}
    lines = "".join(
        f"  --{key}: {colour};\n" for key, colour in colours.items() if key not in _OF_THE_PAGE
    )
    return f':root[data-palette="{name}"][data-look][data-dark] {{\n{lines}}}\n'


def theme_options() -> str:
    """Return an HTML option for each registered theme."""
    return "".join(
        f'<option value="{name}">{escape(theme.label or name.capitalize())}</option>'
        for name, theme in _registered()
    )
