"""Open the database given in an option or an environment variable."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sapper.database.connection import DatabaseFailed
from sapper.database.postgresql import is_address, place_of
from sapper.errors import BadSetting, SapperError
from sapper.server.storage.postgresql_database import PostgresqlDatabase

__all__ = ["CannotOpen", "check_address", "open_postgresql", "reaching"]


class CannotOpen(SapperError, OSError):
    """A database cannot be opened."""

    code = "cannot_open"


def check_address(address: str) -> None:
    """Check that an address is a PostgreSQL address.

    Raises:
        BadSetting: If the address is not a PostgreSQL address.
    """
    if not is_address(address):
        # The address may contain a password, so the message does not repeat it.
        raise BadSetting("the address of the database must begin with postgresql://")


@contextmanager
def reaching(address: str) -> Iterator[None]:
    """Name the database in errors raised in the block.

    Raises:
        BadSetting: If the address is not a PostgreSQL address.
        CannotOpen: If it fails.
    """
    check_address(address)
    try:
        yield
    except DatabaseFailed as problem:
        raise CannotOpen(f"cannot use {place_of(address)}: {problem}") from problem


def open_postgresql(address: str, *, lock: bool = True, shared: bool = False) -> PostgresqlDatabase:
    """Open a PostgreSQL database; `PostgresqlDatabase` describes the arguments and errors."""
    with reaching(address):
        return PostgresqlDatabase(address, lock=lock, shared=shared)
