"""The index of runs on this machine, with their directories."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from sapper.paths import state_dir

__all__ = ["find", "listed", "remember"]


def remember(path: Path) -> None:
    """Add a run's directory to the index.

    Errors are ignored, because the run does not need the index.
    """
    place = path.resolve()
    try:
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        written = json.dumps({"path": str(place)}) + "\n"
        (folder / f"{_name(place)}.json").write_text(written, "utf-8")
    except OSError:
        return


def listed() -> dict[str, Path]:
    """Return the directories of all indexed runs that still exist, keyed by short name."""
    runs: dict[str, Path] = {}
    for entry in sorted(_folder().glob("*.json")):
        place = _read(entry)
        if place is not None and (place / "run.json").exists():
            runs[entry.stem] = place
    return runs


def find(name: str) -> Path | None:
    """Return the directory of the run with this short name, or None."""
    return listed().get(name)


def _folder() -> Path:
    return state_dir() / "runs"


def _name(place: Path) -> str:
    return hashlib.sha256(str(place).encode()).hexdigest()[:12]


def _read(entry: Path) -> Path | None:
    try:
        saved = json.loads(entry.read_text("utf-8"))
        return Path(saved["path"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
