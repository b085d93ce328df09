"""`sapper replay view`: an interactive replay viewer in the terminal."""

from __future__ import annotations

import os
from typing import Annotated

from sapper.cli.replay.files import read_one
from sapper.cli.signatures import Argument
from sapper.cli.tui import Language, Theme, check_looks, need_terminal, run_app
from sapper.errors import BadSetting

__all__ = ["EXAMPLE", "view"]

EXAMPLE = "sapper replay view game.avf"


def view(
    file: Annotated[str, Argument(metavar="FILE", help="Replay.")],
    theme: Theme = None,
    language: Language = None,
) -> int:
    """View a replay in the terminal, with the keys of a video player.

    Shows the board, the pointer, the time and the metrics at any moment, and the risk of every
    opening. Space plays, and + and - change the speed. The arrows step from click to click or,
    with Shift, follow the pointer. G jumps to the next guess, and A shows the chances. Press ?
    for all keys.
    """
    if file == "-":
        raise BadSetting("sapper replay view reads keys from standard input; give it a file")
    need_terminal("sapper replay view")
    check_looks(theme, language)
    replay = read_one(file)
    # Imported here because the import is slow, and other commands work without Textual.
    from sapper.tui.language import language_of
    from sapper.tui.replay_app import ReplayApp

    return run_app(ReplayApp(replay, theme, language or language_of(os.environ)))
