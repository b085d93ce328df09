"""A replay format: a log of clicks, as a small program might write it.

    click log
    1*1
    111
    0.000 open 1 1
    1.250 flag 1 2

The first line names the format. The board follows, as rows of ``*`` and digits, and then one line
per click: seconds, action, and the row and column, counted from 1.
"""

from sapper import BadReplay, Board, SapperError
from sapper.replay import Event, EventKind, Events, Replay, register

HEAD = "click log"
KINDS = (EventKind.OPEN, EventKind.FLAG, EventKind.CHORD)


@register("click-log")
class ClickLog:
    """Reads and writes the format."""

    @staticmethod
    def looks_like(data):
        """Return whether a file may be in this format."""
        return data.startswith(HEAD.encode())

    @staticmethod
    def read(data):
        """Read a replay; raise `BadReplay` with the reason if it is invalid."""
        try:
            lines = data.decode().split("\n")[1:]
            rows = [line for line in lines if line and " " not in line]
            clicks = [line.split() for line in lines if " " in line]
            events = [
                Event(round(1000 * float(seconds)), EventKind(kind), int(col) - 1, int(row) - 1)
                for seconds, kind, row, col in clicks
            ]
            board = Board.parse("\n".join(rows))
        except (ValueError, SapperError) as problem:
            raise BadReplay(f"not a click log: {problem}") from None
        # Each cell is one pixel: x is the column and y the row.
        return Replay(board, Events.from_events(events), cell_px=1, format="click-log")

    @staticmethod
    def write(replay):
        """Return the contents of a replay's file. Omit this method for a read-only format."""
        lines = [HEAD, *replay.board.rows]
        for ms, kind, x, y in replay.events:
            if replay.cell_px != 1 or kind not in KINDS:
                raise BadReplay("a click log holds clicks on cells only, without a pointer path")
            lines.append(f"{ms / 1000:.3f} {kind} {y + 1} {x + 1}")
        return "\n".join([*lines, ""]).encode()
