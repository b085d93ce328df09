"""Network visitors learn nothing about the machine on which the server runs."""

from __future__ import annotations

import asyncio
import getpass
import io
import json
import re
import socket
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from sapper import lab
from sapper.server import create_app
from sapper.server.storage.save_queue import reason
from sapper.server.storage.store import Store

ME = "a" * 24
_SECRETS = ("/tmp", "/home", "/usr", "site-packages", "Errno", "Traceback", "uvicorn", "given:")


def _archive() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("a/b.avf", b"junk")
    return made.getvalue()


_FILES = {
    "empty": b"",
    "text": b"junk\n" * 20,
    "png": b"\x89PNG\r\n\x1a\n" + bytes(50),
    "gif": b"GIF89a junk",
    "zip": _archive(),
    "half a zip": _archive()[:60],
    "parquet": b"PAR1" + b"x" * 50 + b"PAR1",
    "json": b'{"finished_ms": 1}\n{',
    "avf": b"\0\x11" + b"a" * 100,
    "evf": b"\4" + bytes(50),
    "rawvf": b"RawVF_Version: Rev5\nEvents:\n",
}
_UPLOADS = [
    "/api/history/import",
    "/api/replay",
    "/api/replay/formats",
    "/api/replay/convert?format=evf",
    "/api/analyze/load",
    "/api/analyze",
    "/api/learn/answer",
]


def _tells(text: str) -> bool:
    """Whether a string contains a path, a machine or user name, or a memory address."""
    names = [f"/{getpass.getuser()}", *_SECRETS]
    # A short machine name such as "vm" may occur inside random cookies.
    machine = rf"(?<![\w-]){re.escape(socket.gethostname())}(?![\w-])"
    return any(name in text for name in names) or bool(
        re.search(f"{machine}|0x[0-9a-f]{{6}}", text)
    )


def _responses(store: Store, paths: list[str], address: str) -> list[httpx.Response]:
    """Send a request from this address to a server that is open to a network."""

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(create_app(store, None), client=(address, 1))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return [await client.get(path) for path in paths]

    return asyncio.run(ask())


@pytest.mark.parametrize("path", _UPLOADS)
def test_file_error_names_no_other_file(site: Any, path: str) -> None:
    """The error for a damaged file names no file but that one."""
    with httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as client:
        found = [client.post(path, content=data) for data in _FILES.values()]
    assert {answer.status_code for answer in found} <= {200, 400}
    assert not [answer.text for answer in found if _tells(answer.text + str(answer.headers))]


def test_network_visitors_get_only_names_and_figures_of_runs(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only visitors on this machine see commands, directories, options and errors."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "home"))
    folder = tmp_path / "my-run"
    lab.run("exact", "beginner", n=5, out=folder)
    status = json.loads((folder / "status.json").read_text())
    status |= {"error": f"no file {folder}", "bot": f"{tmp_path}/mine.py:Bot"}
    (folder / "status.json").write_text(json.dumps(status))
    [listed] = _responses(store, ["/api/runs"], "127.0.0.1")
    [own] = listed.json()
    assert own["path"] == str(folder)
    assert {"command", "options", "error", "sapper_version"} < own.keys()
    listed, told = _responses(store, ["/api/runs", f"/api/runs/{own['id']}"], "192.168.1.7")
    assert not _tells(listed.text + told.text + str(told.headers))
    [run] = listed.json()
    assert (run["name"], run["bot"], run["games"]) == ("my-run", "mine.py:Bot", 5)
    for shown in (run, told.json()):
        assert not {"path", "command", "options", "error", "sapper_version"} & shown.keys()
    (folder / "run.json").write_text('{"format": 99}')
    [damaged] = _responses(store, [f"/api/runs/{own['id']}"], "192.168.1.7")
    assert damaged.status_code == 409
    assert not _tells(damaged.text)


def test_page_does_not_name_an_unusable_file(
    tmp_path: Path, run: Callable[[Store], Any], caplog: pytest.LogCaptureFixture
) -> None:
    """The file is named only in the server's log."""
    folder = tmp_path / "state"
    with Store(folder) as store, run(store) as site, site.player(ME) as player:
        player.send("mark", cell=[0, 0])
        folder.rename(tmp_path / "elsewhere")
        folder.mkdir()
        # A directory has taken the place of the file.
        (folder / "play.sqlite3").mkdir()
        player.send("mark", cell=[0, 1])
        said = [json.loads(text) for text in player.frames if '"saving"' in text]
        assert said[0]["problem"] == "the saved games file cannot be used"
        assert not _tells(json.dumps(said))
        (folder / "play.sqlite3").rmdir()
    assert str(folder) in caplog.text


@pytest.mark.parametrize(
    ("problem", "said"),
    [
        (
            OSError(28, "No space left on device", "/home/me/play.sqlite3"),
            "no space left on device",
        ),
        (OSError("/home/me/play.sqlite3: odd"), "the saved games file cannot be used"),
        (sqlite3.OperationalError("database or disk is full"), "disk full"),
        (sqlite3.DatabaseError("file is not a database"), "file is not a database"),
        (RuntimeError("/home/me/x.py failed"), "RuntimeError"),
    ],
)
def test_reasons_for_players_do_not_name_files(problem: Exception, said: str) -> None:
    """Reasons go to every window, so they must not contain paths."""
    assert reason(problem) == said


def test_answers_do_not_name_the_server_software(site: Any) -> None:
    """The version of the server software would reveal known vulnerabilities."""
    assert (
        "server"
        not in httpx.get(f"{site.url}/api/menu", trust_env=False, verify=False, timeout=300).headers
    )
