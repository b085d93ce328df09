"""The path of a click through the server is the documented one."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from sapper import Game, server
from sapper.server.session import moves, state_messages
from sapper.server.session.outbox import Outbox
from sapper.server.storage.save_queue import SaveQueue
from sapper.server.storage.store import Store

_SERVER = Path(server.__file__).parent
_ARCHITECTURE = Path(__file__).parents[3] / "docs" / "architecture.md"
_MOMENTS: set[CodeType] = {
    function.__code__
    for function in (
        moves.open_cell,
        Game.open,
        state_messages.delta,
        SaveQueue.add,
        Outbox.get,
    )
}


@contextmanager
def traced() -> Iterator[set[str]]:
    """Record which server modules are on the stack, in threads started inside the block."""
    found: set[str] = set()

    def trace(frame: FrameType, event: str, _: object) -> None:
        if event != "call" or frame.f_code not in _MOMENTS:
            return
        above: FrameType | None = frame
        while above is not None:
            file = Path(above.f_code.co_filename)
            if file.is_relative_to(_SERVER):
                found.add(file.relative_to(_SERVER).as_posix())
            above = above.f_back

    threading.setprofile(trace)
    try:
        yield found
    finally:
        threading.setprofile(None)


def documented() -> list[str]:
    """Return the modules with which the steps in the list begin."""
    text = _ARCHITECTURE.read_text("utf-8")
    section = text.partition("## The path of a click\n")[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)


def test_a_click_crosses_the_documented_modules(run: Callable[..., Any], store: Store) -> None:
    """A click that opens cells is traced from the WebSocket to its answer."""
    with traced() as found, run(store) as site, site.player() as player:
        # A new window gets its state in a different way.
        found.clear()
        answer = player.send("open", cell=[4, 4])
        assert answer["event"]["kind"] == "open"
        assert sorted(found) == sorted(documented())
