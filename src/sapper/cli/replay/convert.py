"""`sapper replay convert`: write a replay in another format."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from sapper._util.names import either
from sapper._util.shortening import shown
from sapper._util.whole_file import Existing, written_whole
from sapper.cli import completing
from sapper.cli.exit_status import ExitStatus
from sapper.cli.output import Complaints
from sapper.cli.replay.files import Files, find, read_found
from sapper.cli.signatures import Option
from sapper.cli.terminal import tracked
from sapper.errors import BadSetting, SapperError
from sapper.replay import WRITERS, Replay, losses, serialize

__all__ = ["EXAMPLE", "convert"]

EXAMPLE = "sapper replay convert replays/ --to json --out converted/"

_SUFFIXES = {"json": ".json", "rawvf": ".rawvf", "evf": ".evf"}


def convert(
    files: Files,
    to: Annotated[
        str,
        Option(
            "--to",
            metavar="FORMAT",
            help="Format to write: json, rawvf or evf.",
            autocompletion=completing.one_of(WRITERS),
        ),
    ] = "json",
    out: Annotated[
        Path | None,
        Option(
            metavar="PATH",
            help="File to write, or folder for many replays (default: standard output).",
        ),
    ] = None,
    no_pointer: Annotated[bool, Option("--no-pointer", help="Omit the pointer path.")] = False,
    force: Annotated[bool, Option("--force", help="Overwrite files.")] = False,
) -> int:
    """Write a replay in another format: Sapper's JSON, RawVF text, or EVF.

    Report on standard error any data the format cannot store, such as a version or a country.
    Exit status 2 if a file cannot be read or converted; the others are still written.
    """
    if to not in WRITERS:
        raise BadSetting(f"--to must be {either(tuple(WRITERS))}, got {shown(to)}")
    paths, many = find(files)
    if many and (out is None or (out.exists() and not out.is_dir())):
        raise BadSetting("--out must be a folder for many replays")
    refused, changed = Complaints(), Complaints()
    code = ExitStatus.DONE
    written: dict[Path, str] = {}
    for name, named in tracked(paths, len(paths), "replays"):
        try:
            replay = read_found(name, named)
            if replay is None:
                continue
            target = _target(name, out, to, many=many)
            if target is not None and (other := written.setdefault(target, name)) != name:
                raise BadSetting(f"{str(target)!r} has been written from {other!r}")
            if no_pointer:
                replay = replay.without_pointer()
            data = serialize(replay, to, lossy=True)
            if lost := [part for part in losses(replay, data) if _has_part(replay, part)]:
                changed.add(f"{name}: {to} cannot hold all of it: {', '.join(lost)} changed")
            _write(data, target, force=force)
        except SapperError as problem:
            refused.add(f"{name}: {problem}")
            code = ExitStatus.BAD_INPUT
    changed.end(f"files that {to} cannot hold completely")
    refused.end("files cannot be read or converted")
    return code


def _target(name: str, out: Path | None, to: str, *, many: bool) -> Path | None:
    if out is None or not (many or out.is_dir()):
        return out
    out.mkdir(parents=True, exist_ok=True)
    return out / (Path(name).name + _SUFFIXES.get(to, f".{to}"))


def _write(data: bytes, target: Path | None, *, force: bool) -> None:
    if target is None:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
        return
    with written_whole(target, Existing.unless_forced(force)) as temporary:
        temporary.write_bytes(data)


def _has_part(replay: Replay, name: str) -> bool:
    """Return whether the replay contains a part that the format cannot store."""
    return getattr(replay.info, name, True) not in (None, "")
