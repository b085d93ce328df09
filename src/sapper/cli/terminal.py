"""Colours, tables and progress bars on a terminal, and plain text elsewhere."""

from __future__ import annotations

import os
import shutil
import sys
import time
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Self, TextIO, TypeVar

import click

__all__ = [
    "Bars",
    "InPlace",
    "Line",
    "has_colours",
    "print_lines",
    "print_table",
    "progress_bars",
    "status_line",
    "tracked",
    "width_of",
]

_Item = TypeVar("_Item")

_COLOURS: Final = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_CODES: Final = {
    "bold": "1",
    "dim": "2",
    "reverse": "7",
    **{name: str(30 + at) for at, name in enumerate(_COLOURS)},
    **{f"bright_{name}": str(90 + at) for at, name in enumerate(_COLOURS)},
    **{f"on_{name}": str(40 + at) for at, name in enumerate(_COLOURS)},
}
"""The parameters of SGR (ECMA-48, 8.3.117) by the words of a style."""

_NARROWEST: Final = 8
"""A column of a table is not cut to less than this."""
_BAR: Final = 30
"""Width of a progress bar."""
_PERIOD_S: Final = 0.1
"""Time between two pictures of a progress bar."""


class Line:
    """A line of text in several styles, such as ``bold white on_red``."""

    def __init__(self, text: str = "", style: str = "") -> None:
        self.parts: list[tuple[str, str]] = []
        self.append(text, style)

    def append(self, text: str, style: str = "") -> Self:
        """Add text in a style, and return the line."""
        if text:
            self.parts.append((text, style))
        return self

    @property
    def plain(self) -> str:
        """The text without styles."""
        return "".join(text for text, _ in self.parts)

    @property
    def coloured(self) -> str:
        r"""The text with escape codes.

        >>> Line("3 ", "bold red").append("safe").coloured
        '\x1b[1;31m3 \x1b[0msafe'
        """
        return "".join(
            f"\x1b[{';'.join(_CODES[word] for word in style.split())}m{text}\x1b[0m"
            if style
            else text
            for text, style in self.parts
        )

    def cropped(self, columns: int) -> Line:
        """Return the beginning of the line that fits in a number of columns."""
        line = Line()
        for text, style in self.parts:
            kept = _cropped(text, columns)
            line.append(kept, style)
            columns -= width_of(kept)
            if len(kept) < len(text):
                break
        return line


def has_colours(stream: TextIO) -> bool:
    """Return whether a stream shows colours: a terminal, unless the environment says otherwise.

    NO_COLOR and FORCE_COLOR are described at no-color.org and force-color.org.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def print_lines(*lines: Line | str, end: str = "\n") -> None:
    """Print lines, with their styles if standard output shows colours."""
    colours = has_colours(sys.stdout)
    for line in lines:
        text = line if isinstance(line, str) else line.coloured if colours else line.plain
        # Click translates the codes for old Windows consoles.
        click.echo(f"{text}{end}", file=sys.stdout, nl=False, color=colours)


def width_of(text: str) -> int:
    r"""Return the number of columns of a text on a terminal.

    >>> width_of("雷 e\u0301")
    4
    """
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _cropped(text: str, columns: int) -> str:
    used = 0
    for place, char in enumerate(text):
        used += _char_width(char)
        if used > columns:
            return text[:place]
    return text


def print_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], left: Container[int] = ()
) -> None:
    """Print a table with a bold header.

    On a terminal, the widest columns are cut until a row fits in a line.

    Args:
        heads: The names of the columns.
        rows: The cells of each row.
        left: The columns that are aligned to the left; the others are aligned to the right.
    """
    widths = [max(map(width_of, column)) for column in zip(heads, *rows, strict=True)]
    gaps = 2 * (len(widths) - 1)
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else sum(widths) + gaps
    while sum(widths) + gaps > room and max(widths) > _NARROWEST:
        widths[widths.index(max(widths))] -= 1
    for number, row in enumerate((heads, *rows)):
        cells = [
            _aligned(cell, width, at in left)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print_lines(Line("  ".join(cells).rstrip(), "bold" if number == 0 else ""))


def _aligned(text: str, width: int, left: bool) -> str:
    if width_of(text) > width:
        text = f"{_cropped(text, width - 1)}…"
    gap = " " * (width - width_of(text))
    return f"{text}{gap}" if left else f"{gap}{text}"


class InPlace:
    """Lines at the bottom of a terminal that are drawn again in the same place."""

    _open: InPlace | None = None

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._count = 0

    def draw(self, lines: Sequence[Line]) -> None:
        """Draw lines in place of the earlier ones, cropped to the size of the terminal."""
        size = shutil.get_terminal_size()
        # A character in the last column would start a new line on some terminals.
        kept = [line.cropped(size.columns - 1) for line in lines[: size.lines - 1]]
        colours = has_colours(self._stream)
        texts = [line.coloured if colours else line.plain for line in kept]
        self._write(self._start() + "\n".join(f"{text}\x1b[K" for text in texts) + "\x1b[J")
        self._count = len(kept)
        InPlace._open = self

    def clear(self) -> None:
        """Remove the lines."""
        if self._count:
            self._write(f"{self._start()}\x1b[J")
        self._count = 0
        InPlace._open = None

    def leave(self) -> None:
        """Leave the lines where they are, and continue below them."""
        if self._count:
            self._write("\n")
        self._count = 0
        InPlace._open = None

    def _start(self) -> str:
        """Return the codes that move the cursor to the start of the first line."""
        return "\r" + (f"\x1b[{self._count - 1}A" if self._count > 1 else "")

    def _write(self, text: str) -> None:
        click.echo(text, file=self._stream, nl=False, color=True)

    @classmethod
    def make_room(cls) -> None:
        """Remove what is drawn, if anything, because other output follows."""
        if cls._open is not None:
            cls._open.clear()


class Bars:
    """Progress bars on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.area = InPlace(stream)
        self._started = time.monotonic()
        self._drawn = 0.0
        self._lines: dict[int, tuple[str, float, float | None, str]] = {}

    def update(
        self, name: str, done: float, total: float | None, text: str = "", number: int = 0
    ) -> None:
        """Set how much is done.

        Args:
            name: The text before the bar.
            done: How much is done.
            total: How much there is, if known.
            text: The text after the bar.
            number: The number of the bar.
        """
        self._lines[number] = (name, done, total, text)
        now = time.monotonic()
        if now - self._drawn >= _PERIOD_S:
            self._drawn = now
            widest = max(width_of(name) for name, *_ in self._lines.values())
            self.area.draw(
                [
                    _bar(_aligned(name, widest, True), done, total, text, now - self._started)
                    for name, done, total, text in self._lines.values()
                ]
            )


def _bar(name: str, done: float, total: float | None, text: str, elapsed_s: float) -> Line:
    """Return a progress bar with the time left.

    >>> _bar("games", 5, 10, "12 games/s", 90).plain.split()[2:]
    ['1:30', '12', 'games/s']
    """
    share = min(1.0, done / total) if total else 0.0
    full = round(share * _BAR)
    left = "" if not share else _clock(elapsed_s / share - elapsed_s)
    line = Line(f"{name} ").append("━" * full, "green").append("━" * (_BAR - full), "dim")
    return line.append(f" {left:>5}  {text}".rstrip())


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@contextmanager
def progress_bars() -> Iterator[Bars | None]:
    """Yield progress bars on standard error; None if it is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bars = Bars(sys.stderr)
    try:
        yield bars
    finally:
        bars.area.clear()


def tracked(items: Iterable[_Item], total: int, name: str) -> Iterator[_Item]:
    """Iterate with a progress bar, if standard error is a terminal."""
    with progress_bars() as bars:
        for done, item in enumerate(items, start=1):
            yield item
            if bars is not None:
                bars.update(name, done, total, f"{done:,}/{total:,}")


@contextmanager
def status_line(text: str) -> Iterator[Callable[[str], None] | None]:
    """Show a text on standard error, and yield a function that replaces it; None without one."""
    if not sys.stderr.isatty():
        yield None
        return
    area = InPlace(sys.stderr)
    area.draw([Line(text)])
    try:
        yield lambda text: area.draw([Line(text)])
    finally:
        area.clear()
