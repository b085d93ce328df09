"""Read files for the history in a worker process, and replay every game to check it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, BinaryIO, Final, TypedDict

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from sapper._util.shortening import shown
from sapper.errors import BadReplay, BadSave
from sapper.history import read_json_lines, read_parquet
from sapper.history.checked_games import CheckedGames
from sapper.history.replay_files import ReplayFile, Skipped, find_replay_files, is_zip
from sapper.history.replay_import import ReadReplay, read_replay, read_replays
from sapper.history.transfer import HEAD_BYTES, is_export
from sapper.replay.byte_reader import MOST_BYTES
from sapper.server import limits
from sapper.server.jobs.process_worker import report

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

__all__ = ["Checked", "SkippedFiles", "check_games"]

_PARQUET: Final = b"PAR1"
_FORM: Final = b"multipart/form-data"
_CHUNK: Final = 65_536
_REPORTS_S: Final = 0.1
_REFUSALS: Final = 20
_LONGEST_NAME: Final = 120


class SkippedFiles(TypedDict):
    """The number of files in an archive that are not replays, for one reason."""

    reason: str
    files: int


class Checked(TypedDict):
    """The result of reading files.

    Attributes:
        games: Number of games read.
        refused: Number of rejected replays.
        refusals: The first rejected replays, each with its ``name`` and the ``reason``.
        skipped: The other files in an archive, counted by reason.
    """

    games: int
    refused: int
    refusals: list[dict[str, str]]
    skipped: list[SkippedFiles]


def check_games(source: Path, checked: Path, content_type: str = "") -> Checked:
    """Check the games of a file and write them to another file.

    Progress is reported as JSON: the number of ``games`` read, and the ``share`` of the file read.

    Args:
        source: An export, a replay, a zip archive of replays, or a form with replays.
        checked: The file to write; see `CheckedGames`.
        content_type: Content type of the file if it is a form.

    Raises:
        BadSave: If the file is none of these, or a game in an export cannot be played; the message
            includes its number.
    """
    progress = _Progress()
    kind, options = parse_options_header(content_type)
    with source.open("rb") as file, checked.open("wb") as output:
        games = CheckedGames(output)
        if kind == _FORM:
            return _check_replays(_replays_of_form(file, options, progress), games)
        if is_zip(str(source)):
            return _check_replays(_replays_of_zip(source, progress), games)
        head = file.read(HEAD_BYTES)
        if not is_export(head):
            return _check_replays([read_replay("", head + file.read(MOST_BYTES))], games)
        file.seek(0)
        read = read_parquet if head.startswith(_PARQUET) else read_json_lines
        for record in read(file, most=limits.IMPORTED_GAMES, progress=progress):
            games.add(record)
    return {"games": progress.games, "refused": 0, "refusals": [], "skipped": []}


class _Progress:
    """Reports progress at regular intervals."""

    def __init__(self) -> None:
        self.games, self._reported_s = 0, perf_counter()

    def __call__(self, games: int, share: float) -> None:
        self.games = games
        if perf_counter() - self._reported_s >= _REPORTS_S:
            self._reported_s = perf_counter()
            report(json.dumps({"games": games, "share": round(share, 3)}))


def _check_replays(replays: Iterable[ReadReplay], games: CheckedGames) -> Checked:
    result: Checked = {"games": 0, "refused": 0, "refusals": [], "skipped": []}
    skipped: Counter[Skipped] = Counter()
    for one in replays:
        if one.skipped is not None:
            skipped[one.skipped] += 1
            continue
        if one.row is not None:
            games.add_row(one.row, one.digest)
            result["games"] += 1
            continue
        result["refused"] += 1
        if len(result["refusals"]) < _REFUSALS:
            name = one.name[-_LONGEST_NAME:]
            result["refusals"].append({"name": name, "reason": one.reason or ""})
    result["skipped"] = [
        {"reason": reason.label, "files": skipped[reason]} for reason in Skipped if skipped[reason]
    ]
    return result


def _replays_of_zip(path: Path, progress: _Progress) -> Iterator[ReadReplay]:
    files = [file._replace(name=file.name.removeprefix(f"{path}/")) for file in _members(path)]
    for count, one in enumerate(read_replays(files, frozenset(), workers=1), start=1):
        progress(count, count / len(files))
        yield one


def _members(path: Path) -> list[ReplayFile]:
    try:
        files = list(find_replay_files([str(path)]))
    except BadReplay as problem:
        # The temporary file name would mean nothing to the visitor.
        raise BadReplay(str(problem).removeprefix(f"{path}: ")) from None
    if len(files) > limits.IMPORTED_GAMES:
        raise BadSave(f"an archive has at most {limits.IMPORTED_GAMES:,} files, got {len(files):,}")
    return files


def _replays_of_form(
    file: BinaryIO, options: dict[bytes, bytes], progress: _Progress
) -> Iterator[ReadReplay]:
    """Yield the replays in a form as they are read, with one at a time in memory."""
    form = _Form()
    size, count = file.seek(0, 2), 0
    file.seek(0)
    try:
        parser = MultipartParser(options.get(b"boundary", b""), form.callbacks)
        while chunk := file.read(_CHUNK):
            parser.write(chunk)
            for name, data in form.take():
                count += 1
                progress(count, file.tell() / size)
                yield read_replay(name, data)
        parser.finalize()
        if form.unfinished:
            raise BadSave("the form ends before its last file does")
    except FormParserError as problem:
        raise BadSave(f"the form cannot be read: {shown(str(problem))}") from None


class _Form:
    """Collects the files in a form."""

    def __init__(self) -> None:
        self._files: list[tuple[str, bytes]] = []
        self._field, self._value, self._name = b"", b"", ""
        self._data = bytearray()
        self.unfinished = True
        """Whether the form is incomplete."""
        self.callbacks: MultipartCallbacks = {
            "on_part_begin": self._begin,
            "on_header_field": self._add_field,
            "on_header_value": self._add_value,
            "on_header_end": self._end_header,
            "on_part_data": self._add_data,
            "on_part_end": self._end,
            "on_end": self._finish,
        }

    def take(self) -> list[tuple[str, bytes]]:
        """Return the names and bytes of files completed since the last call."""
        files, self._files = self._files, []
        return files

    def _begin(self) -> None:
        self._field, self._value, self._name = b"", b"", ""
        self._data = bytearray()

    def _add_field(self, data: bytes, start: int, end: int) -> None:
        self._field += data[start:end]

    def _add_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def _end_header(self) -> None:
        if self._field.lower() == b"content-disposition":
            _, options = parse_options_header(self._value)
            self._name = options.get(b"filename", b"").decode("utf-8", "replace")
        self._field = self._value = b""

    def _add_data(self, data: bytes, start: int, end: int) -> None:
        # Keep one byte more than the limit, so that a replay that is too large is recognized.
        room = MOST_BYTES + 1 - len(self._data)
        self._data += data[start : min(end, start + room)]

    def _end(self) -> None:
        self._files.append((self._name, bytes(self._data)))

    def _finish(self) -> None:
        self.unfinished = False
