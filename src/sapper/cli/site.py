"""The command `sapper site`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from sapper.cli.exit_status import ExitStatus
from sapper.cli.signatures import Argument

__all__ = ["EXAMPLE", "site"]

EXAMPLE = "sapper site public/minesweeper"


def site(
    folder: Annotated[
        Path,
        Argument(metavar="DIR", help="Folder to write: a new or empty one, or one written before."),
    ],
) -> int:
    """Write the game as a folder for any static web host.

    Visitors play Classic and No guess in the browser, with exact chances and the analysis board.
    There is no server: nothing is sent anywhere, and after the first visit it works offline.
    """
    # Imported here because the imports of the server would slow down `sapper --help`.
    from sapper.server.session.game_settings import local_menu
    from sapper.web.site import write_site

    count = write_site(folder, local_menu())
    print(f"{count} files written to {folder}")
    return ExitStatus.DONE
