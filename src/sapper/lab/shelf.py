"""Where this machine's runs are kept, so that a page can show them all."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from sapper.paths import state_dir

__all__ = ["note", "on_shelf", "shelf"]


def note(path: Path) -> None:
    """Remember a run's directory; where that cannot be written, it is not remembered.

    A run is as good without it.
    """
    place = path.resolve()
    try:
        folder = _folder()
        folder.mkdir(parents=True, exist_ok=True)
        written = json.dumps({"path": str(place)}) + "\n"
        (folder / f"{_name(place)}.json").write_text(written, "utf-8")
    except OSError:
        return


def shelf() -> dict[str, Path]:
    """The directories of all runs that were noted and are still there, by a short name."""
    found: dict[str, Path] = {}
    for entry in sorted(_folder().glob("*.json")):
        place = _read(entry)
        if place is not None and (place / "run.json").exists():
            found[entry.stem] = place
    return found


def on_shelf(name: str) -> Path | None:
    """The run of this short name, if there is one."""
    return shelf().get(name)


def _folder() -> Path:
    return state_dir() / "runs"


def _name(place: Path) -> str:
    return hashlib.sha256(str(place).encode()).hexdigest()[:12]


def _read(entry: Path) -> Path | None:
    try:
        told = json.loads(entry.read_text("utf-8"))
        return Path(told["path"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
