"""Imported only in the process from which tests fork worker processes.

It imports the workers' modules once, and disables their check that the parent is alive.
"""

from __future__ import annotations

import importlib

from sapper.lab import local
from sapper.server.jobs import process_worker

__all__: list[str] = []

for _name in process_worker._JOBS:
    importlib.import_module(_name)

# The real function ends workers that are not children of the program. These workers end together
# with the process that forks them.
local.end_with_parent = process_worker.end_with_parent = lambda: None
