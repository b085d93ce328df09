"""Imported by the process from which the server's worker processes are forked in tests.

Only there: it changes the child side of the worker processes.
"""

from __future__ import annotations

import importlib

from sapper.server import process_worker

__all__: list[str] = []

for _name in process_worker._JOBS:
    importlib.import_module(_name)

# It would end the workers, which are not children of the server; they end with their parent here.
process_worker.end_with_parent = lambda: None
