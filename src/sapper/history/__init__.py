"""Finished games and their statistics, in one SQLite file."""

from sapper.history.records import Record
from sapper.history.selection import Selection
from sapper.history.statistics import Statistics, summarize
from sapper.history.store import History
from sapper.history.transfer import (
    export_json_lines,
    export_parquet,
    import_json_lines,
    import_parquet,
)

__all__ = [
    "History",
    "Record",
    "Selection",
    "Statistics",
    "export_json_lines",
    "export_parquet",
    "import_json_lines",
    "import_parquet",
    "summarize",
]
