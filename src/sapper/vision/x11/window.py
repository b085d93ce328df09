"""A window and a rectangle of the screen, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Box", "Window"]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the screen, in pixels."""

    x: int
    y: int
    width: int
    height: int

    def overlaps(self, other: Box) -> bool:
        """Return whether the two share a pixel."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def contains(self, other: Box) -> bool:
        """Return whether `other` is inside this one."""
        return (
            self.x <= other.x
            and self.y <= other.y
            and other.x + other.width <= self.x + self.width
            and other.y + other.height <= self.y + self.height
        )

    def __str__(self) -> str:
        return f"{self.width}x{self.height}+{self.x}+{self.y}"


@dataclass(frozen=True, slots=True)
class Window:
    """A program's window.

    Attributes:
        id: Its X11 number.
        frame: The number of the window that a window manager put around it; its own without.
        title: What its title bar says.
        kind: Its class, which programs keep from version to version: ``"sgt-mines Sgt-mines"``.
    """

    id: int
    frame: int
    title: str
    kind: str
