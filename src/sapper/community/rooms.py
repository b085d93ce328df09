"""The kinds of rooms by name."""

from __future__ import annotations

from typing import Any, Final

from sapper._util.shortening import shown
from sapper.community.flags import Flags
from sapper.community.race import Race
from sapper.community.room import Room
from sapper.community.shared_board import SharedBoard
from sapper.errors import BadSave

__all__ = ["ROOMS", "load_room"]

ROOMS: Final[dict[str, type[Race] | type[SharedBoard] | type[Flags]]] = {
    cls.kind: cls for cls in (Race, SharedBoard, Flags)
}
"""Every kind of room, by name."""


def load_room(obj: Any) -> Room:
    """Load a room of any kind, saved by its `to_json`.

    Raises:
        BadSave: If the object is not a saved room.
    """
    kind = obj.get("kind") if isinstance(obj, dict) else obj
    if kind not in ROOMS:
        raise BadSave(
            f"the kind of a saved room must be one of {', '.join(ROOMS)}, got {shown(kind)}"
        )
    return ROOMS[kind].from_json(obj)
