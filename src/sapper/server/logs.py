"""The log as JSON lines, for programs that collect logs.

The standard library's logging is enough: uvicorn and asyncio use it as well, and a formatter gives
all of their messages the same form.
"""

from __future__ import annotations

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

__all__ = ["JsonFormatter", "log_json", "request_id"]

request_id: Final = ContextVar("request_id", default="")
"""The id of the request or WebSocket that is being answered."""


class JsonFormatter(logging.Formatter):
    """Formats a record as one JSON object on one line.

    The fields are ``time``, ``level``, ``event`` and ``logger``, then ``worker`` (if there are
    several), ``request_id`` (within a request), the items of the record's attribute ``fields``, and
    ``error`` (the traceback of an exception).

    Args:
        worker: The name of this process, if there are several.
    """

    def __init__(self, worker: str | None = None) -> None:
        super().__init__()
        self._worker = worker

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        time = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line: dict[str, Any] = {
            "time": time.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
            "logger": record.name,
        }
        if self._worker is not None:
            line["worker"] = self._worker
        if id := request_id.get():
            line["request_id"] = id
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line)


def log_json(worker: str | None = None) -> None:
    """Write the whole log of this process, including requests, to standard error as JSON.

    Args:
        worker: The name of this process, if there are several.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonFormatter(worker))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.getLogger("sapper").setLevel(logging.INFO)
    logging.captureWarnings(True)
