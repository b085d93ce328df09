"""The tables of all features, by schema version.

A new table or column is a further version of its feature, in SQL with SQLite's types. The table
declares the columns that hold players; see `FeatureTables`.
"""

from __future__ import annotations

from typing import Final

from sapper.history.tables import SQLITE_INDEXES
from sapper.server.storage import (
    account_rows,
    announcements,
    history_tables,
    learn_tables,
    network_bans,
    operator_log,
    ownership,
    rooms,
    session_tables,
    standing_tables,
    tournaments,
)
from sapper.server.storage.feature_tables import Schema

__all__ = ["FIRST_VERSION", "SCHEMA", "SQLITE_INDEXES", "statements", "version"]

FIRST_VERSION: Final = 3
"""The first version; earlier files have some of its tables and get the others when opened."""

SCHEMA: Final = Schema(
    (
        session_tables.TABLES,
        learn_tables.TABLES,
        history_tables.TABLES,
        account_rows.TABLES,
        announcements.TABLES,
        ownership.TABLES,
        standing_tables.TABLES,
        tournaments.TABLES,
        rooms.TABLES,
        operator_log.TABLES,
        network_bans.TABLES,
    )
)
"""The tables of all features."""


def version() -> int:
    """Return the current version."""
    return max(SCHEMA.versions)


def statements(after: int = 0, until: int | None = None) -> dict[int, str]:
    """Return the statements of each version after one, up to another (default: the current).

    Each version is applied once and in order, in one transaction.
    """
    most = version() if until is None else until
    return {n: sql for n, sql in SCHEMA.versions.items() if after < n <= most}
