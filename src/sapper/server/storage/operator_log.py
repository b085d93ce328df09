"""The log of operators' actions: who did what to which account, and when."""

from __future__ import annotations

import getpass
import os
import secrets
from contextlib import suppress
from typing import Final, NamedTuple

from sapper.database.connection import Connection
from sapper.database.tables import Table
from sapper.server.storage.clocked import Clocked
from sapper.server.storage.feature_tables import DELETED_NAME, Erased, FeatureTables, Pruning

__all__ = ["TABLES", "OperatorAction", "OperatorLog", "operator"]

SCHEMA: Final = """
-- The actions of operators. The account is empty if an action is about none.
CREATE TABLE IF NOT EXISTS operator_actions (
    id TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL,
    operator TEXT NOT NULL,
    action TEXT NOT NULL,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS operator_actions_by_time ON operator_actions (at_ms);
CREATE INDEX IF NOT EXISTS operator_actions_by_account ON operator_actions (account);
"""

_KEPT_MS: Final = 365 * 86_400_000


class OperatorAction(NamedTuple):
    """An action of an operator.

    Attributes:
        at_ms: When it happened, in milliseconds since 1970.
        operator: The system user who ran the command.
        action: The command, such as ``people ban``.
        name: The name of the account; empty if the action is about none.
        detail: Further information, such as a reason.
    """

    at_ms: int
    operator: str
    action: str
    name: str
    detail: str


class OperatorLog(Clocked):
    """The log in a database. Thread-safe.

    Args:
        database: A database with these tables.
        clock: Seconds since 1970.
    """

    def add(self, action: str, detail: str = "", *, account: str = "", name: str = "") -> None:
        """Add an action of the user who runs this process."""
        row = (secrets.token_hex(8), self._now_ms(), operator(), action, account, name, detail)
        with self._database.writing() as db:
            db.execute("INSERT INTO operator_actions VALUES (?, ?, ?, ?, ?, ?, ?)", row)

    def latest(self, most: int) -> list[OperatorAction]:
        """Return the latest actions, latest first."""
        with self._database.reading() as db:
            rows = db.execute(
                "SELECT at_ms, operator, action, name, detail FROM operator_actions "
                "ORDER BY at_ms DESC, id LIMIT ?",
                (most,),
            ).fetchall()
        return [OperatorAction(*row) for row in rows]


def operator() -> str:
    """Return the user who runs this process, or who became another one with sudo."""
    if user := os.environ.get("SUDO_USER"):
        return user
    with suppress(OSError, KeyError, ImportError):
        return getpass.getuser()
    return "unknown"


def _erase(db: Connection, erased: Erased) -> None:
    """Keep the actions on an account, without its id and name and the details."""
    if erased.account:
        db.execute(
            "UPDATE operator_actions SET account = ?, name = ?, detail = '' WHERE account = ?",
            (erased.alias, DELETED_NAME, erased.account),
        )


def _prune(db: Connection, pruning: Pruning) -> None:
    """Delete actions that are older than a year."""
    db.execute("DELETE FROM operator_actions WHERE at_ms < ?", (pruning.now_ms - _KEPT_MS,))


TABLES: Final = FeatureTables(
    {12: SCHEMA},
    (
        Table(
            "operator_actions",
            mentions=("account", "name", "detail"),
            not_exported="it is the operator's record; bans are exported",
            is_bookkeeping=True,
        ),
    ),
    on_erase=_erase,
    on_prune=_prune,
)
