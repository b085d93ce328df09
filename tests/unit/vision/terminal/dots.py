"""A text-mode Minesweeper that differs from freesweep: dots, no frame, arrow keys, real cursor.

Usage: ``dots.py ROWS [after N TROUBLE]``, where ROWS is a board such as ``..*/.../...``, mines as
stars. It deals that board each time, does not show the mine total, and flags the mines of a won
game. After N opening keys it can ``exit``, ``die``, ignore input (``deaf``), or draw an invalid
character (``garble``). From the start, ``leaves`` makes it end with its game, ``slow`` makes it
lose keys sent together, and ``reverse`` or ``green`` displays the cursor as a cell in reverse or on
a green background, with flags on a red one.
"""

from __future__ import annotations

import os
import signal
import sys
import termios
import tty

Cell = tuple[int, int]


class Game:
    def __init__(self, rows: list[str], cursor: str = "") -> None:
        self.cursor = cursor
        self.rows, self.high, self.wide = rows, len(rows), len(rows[0])
        self.open: set[Cell] = set()
        self.flags: set[Cell] = set()
        self.row = self.col = 0
        self.lost = False

    def near(self, cell: Cell) -> list[Cell]:
        around = [(cell[0] + a, cell[1] + b) for a in (-1, 0, 1) for b in (-1, 0, 1)]
        return [(r, c) for r, c in around if 0 <= r < self.high and 0 <= c < self.wide]

    def mined(self, cell: Cell) -> bool:
        return self.rows[cell[0]][cell[1]] == "*"

    def number(self, cell: Cell) -> int:
        return sum(map(self.mined, self.near(cell)))

    def uncover(self, cell: Cell) -> None:
        if cell in self.open or cell in self.flags:
            return
        self.open.add(cell)
        self.lost = self.lost or self.mined(cell)
        if not self.lost and not self.number(cell):
            for other in self.near(cell):
                self.uncover(other)

    def won(self) -> bool:
        clear = self.high * self.wide - "".join(self.rows).count("*")
        return not self.lost and len(self.open) == clear

    def shown(self, cell: Cell) -> str:
        if self.lost and self.mined(cell):
            return "!" if cell in self.open else "%"
        if cell in self.flags or (self.won() and self.mined(cell)):
            return "P"
        return str(self.number(cell) or "_") if cell in self.open else "."

    def drawn(self, cell: Cell) -> str:
        shown = self.shown(cell)
        here = {"reverse": "\x1b[7m", "green": "\x1b[42m"}.get(self.cursor, "")
        colour = here if cell == (self.row, self.col) else "\x1b[41m" if shown == "P" else ""
        return f"{colour}{shown}\x1b[0m" if self.cursor and colour else shown

    def draw(self) -> None:
        lines = [
            "   " + " ".join(self.drawn((r, c)) for c in range(self.wide)) for r in range(self.high)
        ]
        said = "hurrah" if self.won() else "ouch" if self.lost else ""
        put("\x1b[2J\x1b[H" + "\r\n".join(["dots", "", *lines, "", said]))
        if not self.cursor:
            put(f"\x1b[{3 + self.row};{4 + 2 * self.col}H")


def put(text: str) -> None:
    """Write the text and flush."""
    sys.stdout.write(text)
    sys.stdout.flush()


def key() -> str:
    """Return the next key."""
    pressed = os.read(0, 1).decode()
    return pressed + os.read(0, 2).decode() if pressed == "\x1b" else pressed


def main(rows: list[str], trouble: str, left: int) -> None:
    """Play until the program is stopped or `trouble` occurs."""
    cursor = trouble if trouble in ("reverse", "green") else ""
    game = Game(rows, cursor)
    moves = {"\x1b[A": (-1, 0), "\x1b[B": (1, 0), "\x1b[C": (0, 1), "\x1b[D": (0, -1)}
    while True:
        game.draw()
        if trouble == "leaves" and (game.won() or game.lost):
            return
        pressed = key()
        if trouble == "slow":
            termios.tcflush(0, termios.TCIFLUSH)
        here = (game.row, game.col)
        if pressed in moves:
            down, right = moves[pressed]
            game.row, game.col = game.row + down, game.col + right
        elif pressed == "m":
            game.flags ^= {here}
        elif pressed == "g":
            game = Game(rows, cursor)
        elif pressed == "o":
            left -= 1
            if left < 0:
                get_into(trouble)
            game.uncover(here)


def get_into(trouble: str) -> None:
    """Exit, get killed, or continue without reading keys."""
    if trouble == "exit":
        put("\r\n\ndots gives up\r\n")
        sys.exit(3)
    if trouble == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if trouble == "garble":
        put("\x1b[3;4H@\x1b[3;6H")
    if trouble in ("garble", "deaf"):
        while True:
            key()


if __name__ == "__main__":
    tty.setraw(0)
    after = sys.argv[2:] or ["after", "1000000", "exit"]
    main(sys.argv[1].split("/"), after[2], int(after[1]))
