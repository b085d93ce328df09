"""Declarations of tables: which players own the rows, and what happens to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from sapper.database.connection import Connection

__all__ = ["Export", "Table"]


@dataclass(frozen=True, slots=True)
class Export:
    """How a player's rows are exported.

    Attributes:
        file: The file in the archive.
        rows: Returns the rows of a player, given by session id (default: all columns except those
            that name the player, or the account).
        own_form: Whether the code that writes the file reads the table itself.
    """

    file: str
    rows: Callable[[Connection, str], list[dict[str, Any]]] | None = None
    own_form: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    A claimed name takes over the session id of its player, so rows with the id stay as they are.

    Attributes:
        name: Its name.
        player: The columns that hold the session id of a player whose row it is; the row is erased
            with the player.
        account: The columns that hold the id of an account whose row it is; the row is erased with
            the account.
        mentions: Further columns in which players occur, for example in a JSON text; the feature's
            `on_erase` removes a player from them.
        part_of: The table whose rows these belong to, if they are of no use without them; when two
            guests are joined, one of them has the rows of both tables.
        game: The column with the key of a game in the player's history, if the row is erased with
            the game.
        export: How the rows are exported.
        not_exported: The reason why they are not exported.
        is_pruned: Whether the rows of a session are deleted when there are too many sessions.
        is_bookkeeping: Whether it has rows before anyone has played.
    """

    name: str
    player: tuple[str, ...] = ()
    account: tuple[str, ...] = ()
    mentions: tuple[str, ...] = field(default=(), kw_only=True)
    part_of: str = field(default="", kw_only=True)
    game: str = field(default="", kw_only=True)
    export: Export | None = field(default=None, kw_only=True)
    not_exported: str = field(default="", kw_only=True)
    is_pruned: bool = field(default=False, kw_only=True)
    is_bookkeeping: bool = field(default=False, kw_only=True)
