"""PostgreSQL through psycopg, with the SQL that it shares with SQLite.

A connection behaves like an SQLite connection: truth values and sums are numbers. Characters that
PostgreSQL cannot store, NUL and lone surrogates, are replaced, so that a single value cannot make
the changes of all players fail.
"""

from __future__ import annotations

import re
import selectors
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from sapper._util.installing import pip_install
from sapper.database.connection import DatabaseFailed, Rows
from sapper.errors import BadSetting, MissingExtra
from sapper.translation import t

if TYPE_CHECKING:
    import psycopg

__all__ = [
    "PostgresqlConnection",
    "connect",
    "failures",
    "is_address",
    "is_alive",
    "place_of",
    "translated",
    "unavailable",
]

_OLDEST: Final = 150_000
_CONNECT_S: Final = "3"
_PORTS: Final = re.compile(r"[0-9,]*")
_TYPES: Final = {
    "INTEGER": "BIGINT",
    "REAL": "DOUBLE PRECISION",
    "BLOB": "BYTEA",
    # Sort strings as SQLite does.
    "TEXT": 'TEXT COLLATE "C"',
}
_DEFAULTS: Final = {
    "application_name": "sapper",
    "client_encoding": "utf8",
    "connect_timeout": _CONNECT_S,
    # Detect when the server disappears without closing the connection.
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}


def is_address(text: str) -> bool:
    """Return whether a string is meant to be a PostgreSQL URL."""
    return text.startswith(("postgresql://", "postgres://"))


def place_of(address: str) -> str:
    """Return the name of a database for messages, without user and password.

    Raises:
        BadSetting: If the address cannot be read.
        MissingExtra: If psycopg is not installed.
    """
    parts = _parts(address)
    host, name = parts.get("host") or "this machine", parts.get("dbname") or "the default"
    port = f":{parts['port']}" if "port" in parts else ""
    return f"the PostgreSQL database {name} on {host}{port}"


def _parts(address: str) -> dict[str, Any]:
    library = _psycopg()
    unreadable = BadSetting(
        "the address of the database cannot be read; it must have the form "
        "postgresql://USER:PASSWORD@HOST:PORT/NAME, with special characters as %XX"
    )
    try:
        parts = dict(library.conninfo.conninfo_to_dict(address))
    except (library.Error, UnicodeEncodeError):
        # libpq's message may quote the password.
        raise unreadable from None
    # Without a host, the password is read as the port, and messages include the port.
    if not _PORTS.fullmatch(str(parts.get("port", ""))):
        raise unreadable
    return parts


def connect(address: str) -> psycopg.Connection:
    """Open a connection that commits every statement outside a transaction.

    Raises:
        BadSetting: If the address cannot be read, or the database is not supported.
        DatabaseFailed: If the database cannot be reached.
        MissingExtra: If psycopg is not installed.
    """
    parts = _parts(address)
    with failures():
        db: psycopg.Connection = _psycopg().connect(**{**_DEFAULTS, **parts}, autocommit=True)
    try:
        if db.info.server_version < _OLDEST:
            version = db.info.server_version // 10_000
            raise BadSetting(f"PostgreSQL must be version 15 or later, this is version {version}")
        encoding = db.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise BadSetting(f"the encoding of the database must be UTF8, got {encoding}")
        _adapt(db)
    except BaseException:
        db.close()
        raise
    return db


def is_alive(db: psycopg.Connection) -> bool:
    """Return whether an idle connection is still open, without running a query."""
    if db.closed:
        return False
    with selectors.DefaultSelector() as selector:
        selector.register(db.fileno(), selectors.EVENT_READ)
        # An idle connection receives nothing from the server until it is closed.
        return not selector.select(timeout=0)


@contextmanager
def failures() -> Iterator[None]:
    """Convert the errors of psycopg to `DatabaseFailed`."""
    try:
        yield
    except _psycopg().Error as problem:
        raise unavailable(" ".join(str(problem).split())) from problem


def unavailable(detail: str) -> DatabaseFailed:
    """Return the error for an unusable database, with details for the log."""
    return DatabaseFailed(t("the database is not available"), detail)


def translated(schema: str) -> str:
    """Return statements that create tables in PostgreSQL, given those for SQLite."""
    kinds = re.compile(rf"\b({'|'.join(_TYPES)})\b")
    return kinds.sub(lambda kind: _TYPES[kind[0]], schema).replace(" WITHOUT ROWID", "")


class PostgresqlConnection:
    """A `Connection` over one of psycopg.

    Args:
        db: The connection.
    """

    def __init__(self, db: psycopg.Connection) -> None:
        self._db = db

    def execute(self, sql: str, values: Sequence[Any] = (), /) -> Rows:
        """Execute a statement and fetch its rows."""
        with failures():
            return self._db.execute(_with_placeholders(sql), values)

    def executemany(self, sql: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        """Execute a statement for each row of values, in one round trip to the server."""
        with failures():
            cursor = self._db.cursor()
            cursor.executemany(_with_placeholders(sql), rows)
            return cursor


@lru_cache(maxsize=512)
def _with_placeholders(sql: str) -> bytes:
    return sql.replace("%", "%%").replace("?", "%s").encode()


def _psycopg() -> Any:
    try:
        import psycopg
    except ImportError:
        raise MissingExtra(f"PostgreSQL needs psycopg: {pip_install('postgresql')}") from None
    return psycopg


def _adapt(db: psycopg.Connection) -> None:
    from psycopg.adapt import Dumper, Loader
    from psycopg.types.string import StrDumperUnknown

    class Truth(Dumper):
        oid = db.adapters.types["int2"].oid

        def dump(self, obj: bool) -> bytes:
            return b"1" if obj else b"0"

    class Text(StrDumperUnknown):
        def dump(self, obj: str) -> bytes:
            return obj.replace("\0", "\N{REPLACEMENT CHARACTER}").encode("utf-8", "replace")

    class Number(Loader):
        def load(self, data: bytes | bytearray | memoryview) -> int | float:
            text = bytes(data)
            return float(text) if b"." in text else int(text)

    db.adapters.register_dumper(bool, Truth)
    db.adapters.register_dumper(str, Text)
    db.adapters.register_loader("numeric", Number)
