"""Overlays: information shown on unopened cells, such as the chance of a mine."""

from sapper.overlays.base import TINTS, Mark, Overlay
from sapper.overlays.registry import OVERLAYS, marks_of, register

__all__ = ["OVERLAYS", "TINTS", "Mark", "Overlay", "marks_of", "register"]
