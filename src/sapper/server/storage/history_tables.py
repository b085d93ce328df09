"""The tables of the history on a server."""

from __future__ import annotations

from typing import Final

from sapper.database.connection import Connection
from sapper.history.tables import PATTERN_TABLES, SCHEMA, prune
from sapper.history.tables import TABLES as HISTORY_TABLES
from sapper.server import limits
from sapper.server.storage.feature_tables import FeatureTables, Pruning

__all__ = ["TABLES"]


def _prune(db: Connection, pruning: Pruning) -> None:
    """Delete the oldest games of players with too many."""
    prune(db, limits.GAMES_PER_VISITOR, pruning.kept_games)


TABLES: Final = FeatureTables({3: SCHEMA, 10: PATTERN_TABLES}, HISTORY_TABLES, on_prune=_prune)
