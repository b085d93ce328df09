"""Finished games and their statistics, in one SQLite file."""

from sapper.history.bests import Bests, Comparison, PersonalBests, WinFigures
from sapper.history.measures import Measures, variant_of
from sapper.history.pattern_figures import PatternCount, pattern_counts
from sapper.history.records import Record
from sapper.history.replay_import import RefusedFile, ReplayImport, import_replays
from sapper.history.selection import Selection
from sapper.history.statistics import Statistics, summarize
from sapper.history.store import History, Waiting
from sapper.history.transfer import (
    export_json_lines,
    export_parquet,
    import_json_lines,
    import_parquet,
    read_json_lines,
    read_parquet,
)

__all__ = [
    "Bests",
    "Comparison",
    "History",
    "Measures",
    "PatternCount",
    "PersonalBests",
    "Record",
    "RefusedFile",
    "ReplayImport",
    "Selection",
    "Statistics",
    "Waiting",
    "WinFigures",
    "export_json_lines",
    "export_parquet",
    "import_json_lines",
    "import_parquet",
    "import_replays",
    "pattern_counts",
    "read_json_lines",
    "read_parquet",
    "summarize",
    "variant_of",
]
