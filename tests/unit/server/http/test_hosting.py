"""The examples in docs/hosting.md work: proxies, backup and restore."""

from __future__ import annotations

import contextlib
import getpass
import logging
import re
import shutil
import socket
import subprocess
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from sapper.server import Networks, served_hosts
from sapper.server.storage.store import Store
from support.not_installed import not_installed
from support.program import PROGRAM, sapper
from support.waiting import until

ME = "d" * 24
PAGE = (Path(__file__).parents[4] / "docs" / "hosting.md").read_text("utf-8")
# The visitor's address must differ from the proxy's; all of 127.0.0.0/8 is this machine.
VISITOR = "127.0.0.2"


def _block(start: str) -> str:
    """Return the code block in the docs that starts with a line."""
    [found] = re.findall(rf"^ *```\w+\n( *{re.escape(start)}.*?)^ *```$", PAGE, re.M | re.S)
    return str(found)


def _nginx(folder: Path, port: int, upstream: int) -> list[str]:
    site = _block("map $http_upgrade").replace("listen 80", f"listen 127.0.0.1:{port}")
    paths = "".join(
        f"{name}_temp_path {folder / name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        # nginx's workers also write to the folder, which only this user can access.
        f"user {getpass.getuser()};\ndaemon off;\npid {folder}/pid;\nerror_log stderr;\n"
        "events {}\n"
        f"http {{\naccess_log off;\n{paths}{site.replace(':8000', f':{upstream}')}}}\n"
    )
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def _caddy(folder: Path, port: int, upstream: int) -> list[str]:
    site = _block("play.example.org {").replace(":8000", f":{upstream}")
    site = site.replace("play.example.org", f"http://play.example.org:{port}")
    options = f"{{\nadmin off\nstorage file_system {folder}\n}}\n"
    (folder / "Caddyfile").write_text(options + site)
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as sock:
        return int(sock.getsockname()[1])


@contextlib.contextmanager
def _proxy(make: Callable[[Path, int, int], list[str]], folder: Path, upstream: int) -> Any:
    """Run a proxy in front of a server; yield its port."""
    folder.mkdir()
    port = _free_port()
    command = make(folder, port, upstream)
    if shutil.which(command[0]) is None:
        pytest.skip(not_installed(command[0]))

    def answers() -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return True
        return process.poll() is not None

    with subprocess.Popen(command, cwd=folder, stderr=subprocess.DEVNULL) as process:
        try:
            until(answers, "the proxy")
            yield port
        finally:
            process.terminate()


@pytest.fixture(params=[_nginx, _caddy])
def proxied(request: Any, store: Store, run: Callable[..., Any], tmp_path: Path) -> Iterator[int]:
    """The port of a proxy in front of a server with the documented options."""
    [command, _] = re.findall("^ *ExecStart=(.*)$", PAGE, re.M)
    hosts = served_hosts("127.0.0.1", re.findall(r"--site (\S+)", command))
    proxies = Networks(re.findall(r"--proxy (\S+)", command))
    with (
        run(store, hosts, proxies, log_addresses=True) as site,
        _proxy(request.param, tmp_path / "proxy", site.port) as port,
    ):
        yield port


def _window(port: int, origin: str) -> ClientConnection:
    address = ("127.0.0.1", port)
    sock = socket.create_connection(address, timeout=300, source_address=(VISITOR, 0))
    url = f"ws://play.example.org:{port}/ws"
    return connect(url, sock=sock, origin=Origin(origin), proxy=None, open_timeout=300)


@pytest.mark.slow
def test_documented_proxies_work(proxied: int, caplog: pytest.LogCaptureFixture) -> None:
    """Each visitor has a separate address, games work, and metrics stay private."""
    name = f"play.example.org:{proxied}"
    transport = httpx.HTTPTransport(local_address=VISITOR)
    with (
        caplog.at_level(logging.INFO, "sapper"),
        httpx.Client(
            base_url=f"http://127.0.0.1:{proxied}",
            headers={"Host": name, "X-Forwarded-For": "203.0.113.9", "X-Forwarded-Proto": "https"},
            transport=transport,
            timeout=300,
        ) as visitor,
    ):
        page = visitor.get("/")
        assert page.status_code == 200
        assert page.headers["x-request-id"]
        # A visitor's own headers cannot make the connection count as HTTPS.
        assert "; secure" not in page.headers["set-cookie"].lower()
        # Once, although the server sends it over HTTPS, and also with the proxy's own answers.
        metrics = visitor.get("/metrics")
        for answer in (page, metrics):
            assert answer.headers.get_list("strict-transport-security") == ["max-age=31536000"]
        assert metrics.status_code == 404
        assert visitor.get("/readyz").json() == {"status": "ok"}
        # For other host names, Caddy itself answers with an empty page.
        assert "rules" not in visitor.get("/api/menu", headers={"Host": "evil.example"}).text
        # nginx refuses more than 1 MB by default.
        junk = visitor.post("/api/history/import", content=bytes(2**21))
        assert (junk.status_code, junk.json()["added"]) == (200, 0)
        with _window(proxied, f"http://{name}") as window:
            assert "welcome" in str(window.recv(timeout=300))
        with pytest.raises(InvalidStatus):
            _window(proxied, "http://evil.example")
    logged = [record.fields for record in caplog.records if hasattr(record, "fields")]
    assert {"/", "/readyz"} <= {line["path"] for line in logged}
    assert {line["address"] for line in logged} == {VISITOR}


def test_a_backup_made_during_a_game_restores_it(
    tmp_path: Path, run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backup includes the cookie key, so browsers continue where they were."""
    backup = tmp_path / "backup.sqlite3"
    assert 'sapper admin backup "$file"' in PAGE
    assert re.search(r"sapper admin restore /\S+\.sqlite3 --force\n", PAGE)
    with Store(tmp_path / "one") as store, run(store) as site, site.player(ME) as player:
        cookie = site.ids.sign(ME)
        player.send("mark", cell=[0, 0])
        monkeypatch.setenv("SAPPER_HOME", str(tmp_path / "one"))
        assert sapper("admin", "backup", str(backup)).code == 0
        player.send("mark", cell=[0, 1])
    folder = tmp_path / "two"
    monkeypatch.setenv("SAPPER_HOME", str(folder))
    assert sapper("admin", "restore", str(backup), "--force").code == 0
    with (
        Store(folder) as store,
        run(store) as site,
        site.player(Cookie=f"sapper={cookie}") as player,
    ):
        assert store.persistent
        assert player.welcome["game"]["actions"] == 1
        assert player.send("mark", cell=[0, 1])["type"] == "delta"


def test_the_units_of_the_page_are_valid(tmp_path: Path) -> None:
    """Systemd recognises every setting, and the commands accept the page's options and settings."""
    units = [
        textwrap.dedent(found)
        for found in re.findall(r"^ *```ini\n( *\[Unit\]\n.*?)^ *```$", PAGE, re.M | re.S)
        if "ExecStart=" in found
    ]
    assert len(units) == 2
    config = tmp_path / "sapper.toml"
    config.write_text(textwrap.dedent(_block("workers = 2")))
    for number, unit in enumerate(units):
        [command] = re.findall("^ExecStart=/opt/sapper/bin/sapper (.*)$", unit, re.M)
        name, *options = command.split()
        shown = sapper(name, "--help").out
        assert [one for one in options if one.startswith("--") and one not in shown] == []
        file = tmp_path / f"site{number}.service"
        file.write_text(unit.replace("/opt/sapper/bin/sapper", str(PROGRAM)))
        if shutil.which("systemd-analyze") is not None:
            verify = ["systemd-analyze", "verify", str(file)]
            result = subprocess.run(verify, capture_output=True, text=True)
            assert [line for line in result.stderr.splitlines() if file.name in line] == []
    found = sapper("serve", "--config", str(config), "--show-config")
    assert (found.code, found.err) == (0, "")
    assert tomllib.loads(found.out)["workers"] == 2
