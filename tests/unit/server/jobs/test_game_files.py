"""Files imported into the history: exports, replays, archives and form uploads."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

from sapper.errors import SapperError
from sapper.history.checked_games import CheckedGames
from sapper.server.jobs.game_files import Checked, check_games
from support.histories import played
from support.replays import FOLDER

EXPERT = (FOLDER / "expert.avf").read_bytes()


def check(folder: Path, data: bytes, content_type: str = "") -> tuple[Checked, list[str]]:
    """Check a file; return the result and the players of its games."""
    (folder / "given").write_bytes(data)
    found = check_games(folder / "given", folder / "checked", content_type)
    with (folder / "checked").open("rb") as file:
        return found, [row.values[2] for row in CheckedGames(file)]


def form(*files: tuple[str, bytes]) -> tuple[bytes, str]:
    """Return a form as a browser sends it, and its content type."""
    fields = [("replay", (name, data)) for name, data in files]
    request = httpx.Request("POST", "http://x/", files=fields)
    return request.read(), request.headers["content-type"]


def test_an_export_is_read(tmp_path: Path) -> None:
    """An export is read one game at a time."""
    line = json.dumps(played(1, player="Ada").to_json()).encode()
    assert check(tmp_path, line) == (
        {"games": 1, "refused": 0, "refusals": [], "skipped": []},
        ["Ada"],
    )


def test_damaged_replay_is_rejected(tmp_path: Path) -> None:
    """Files are recognised by content; their type may be unknown."""
    found, players = check(tmp_path, EXPERT)
    assert (found["games"], len(players)) == (1, 1)
    found, players = check(tmp_path, EXPERT[:300])
    assert (found["games"], found["refused"], players) == (0, 1, [])


def test_replays_in_an_archive_are_read(tmp_path: Path) -> None:
    """Other files are skipped and counted, and replays keep their names from the archive."""
    made = BytesIO()
    with ZipFile(made, "w") as archive:
        archive.writestr("2006/a.avf", EXPERT)
        archive.writestr("2006/cut.avf", EXPERT[:300])
        archive.writestr("notes.txt", "I won")
    found, players = check(tmp_path, made.getvalue())
    assert (found["games"], found["refused"], len(players)) == (1, 1, 1)
    assert found["refusals"][0]["name"] == "2006/cut.avf"
    assert found["skipped"] == [{"reason": "not a replay", "files": 1}]


def test_replays_in_a_form_are_read(tmp_path: Path) -> None:
    """A file may arrive in any number of chunks and have a name in any alphabet."""
    body, kind = form(("a.avf", EXPERT), ("Žofie 扫雷.avf", EXPERT[:300]), ("b.txt", b""))
    found, players = check(tmp_path, body, kind)
    assert (found["games"], found["refused"], len(players)) == (1, 2, 1)
    assert found["refusals"][0]["name"] == "Žofie 扫雷.avf"


def test_only_the_first_refusals_are_listed(tmp_path: Path) -> None:
    """A folder of photos does not cause a huge answer."""
    body, kind = form(*((f"{number}.jpg", b"\xff") for number in range(30)))
    found, _ = check(tmp_path, body, kind)
    assert (found["refused"], len(found["refusals"])) == (30, 20)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"--x\r\n\r\nno header", "multipart/form-data; boundary=x"),
        (b"--y\r\n", "multipart/form-data; boundary=x"),
        (b"--y\r\n", "multipart/form-data"),
        (b"PK\3\4" + bytes(60), ""),
    ],
)
def test_damaged_form_or_archive_is_rejected(tmp_path: Path, body: bytes, kind: str) -> None:
    """The error is one sentence, and no game is added."""
    with pytest.raises(SapperError):
        check(tmp_path, body, kind)
