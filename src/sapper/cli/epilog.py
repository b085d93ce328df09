"""The example below a command's help."""

from __future__ import annotations

__all__ = ["example"]


def example(line: str) -> str:
    """Return the epilog that shows a command line."""
    # Click keeps the line breaks of a paragraph that starts with a backspace character.
    return f"\b\nExample:\n  {line}"
