"""A schema of a later version than the current one."""

from __future__ import annotations

from sapper.database.tables import Table
from sapper.server.storage.feature_tables import FeatureTables, Schema
from sapper.server.storage.schema import SCHEMA, version

__all__ = ["later_schema"]


def later_schema(statements: str, *tables: str) -> Schema:
    """Return a schema with one more version.

    Args:
        statements: Its statements.
        tables: The tables that they create.
    """
    added = FeatureTables({version() + 1: statements}, tuple(map(Table, tables)))
    return Schema((*SCHEMA.features, added))
