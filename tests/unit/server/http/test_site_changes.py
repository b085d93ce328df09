"""Bans, deletions and announcements, made by operator commands while a server runs."""

from __future__ import annotations

import asyncio
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

from sapper.community.nicknames import free_nickname
from sapper.server.cluster.bus import LocalBus
from sapper.server.http import site_changes
from sapper.server.http.banned_networks import BannedNetworks
from sapper.server.http.windows import OpenWindows
from sapper.server.storage.announcements import Announcements
from sapper.server.storage.feature_tables import alias_of
from sapper.server.storage.postgresql_database import PostgresqlDatabase
from sapper.server.storage.sqlite_database import SqliteDatabase
from sapper.server.storage.store import Store
from support.account_requests import ask, claim, closed, login_cookie, refused, sign_in
from support.authenticators import SoftAuthenticator
from support.postgresql import clean_database
from support.program import sapper
from support.waiting import until

Open = Callable[[], httpx.Client]


@pytest.fixture(params=["sqlite", "postgresql"])
def site(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[..., Any],
) -> Iterator[Any]:
    """A server on each database engine in turn, found by the commands of this process."""
    if request.param == "sqlite":
        monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
        database: Any = SqliteDatabase(tmp_path)
    else:
        address = clean_database()
        monkeypatch.setenv("SAPPER_DATABASE", address)
        database = PostgresqlDatabase(address)
    with Store(database) as store, run(store) as made:
        made.database = database
        yield made


@pytest.fixture
def browser(site: Any) -> Iterator[Open]:
    """A function that opens browsers, each with its own cookies."""
    opened: list[httpx.Client] = []

    def make() -> httpx.Client:
        url = f"http://localhost:{site.port}"
        opened.append(httpx.Client(base_url=url, trust_env=False, verify=False, timeout=300))
        return opened[-1]

    yield make
    for one in opened:
        one.close()


def window(site: Any, client: httpx.Client) -> Any:
    """Open a browser's window."""
    cookie = "; ".join(f"{one.name}={one.value}" for one in client.cookies.jar)
    return site.player(Cookie=cookie)


def done(*arguments: str) -> str:
    """Run a command that must succeed, and return its output."""
    result = sapper("admin", *arguments)
    assert (result.code, result.err) == (0, "")
    out: str = result.out
    return out


def test_a_banned_player_is_a_guest_until_the_ban_ends(browser: Open, site: Any) -> None:
    """Open windows close, and sign-ins and claims are refused with the reason."""
    client, device = browser(), SoftAuthenticator(1)
    codes = claim(client, device, "Ann")["codes"]
    with window(site, client) as player:
        out = done("people", "ban", "ann", "--reason", "Offensive name", "--until", "2130-01-31")
        assert out == "Banned Ann until 2130-01-31 00:00.\n"
        closed(player)
    with window(site, client) as guest:
        ban = guest.until("announcements")["ban"]
        assert (ban["name"], ban["reason"]) == ("Ann", "Offensive name")
    state = client.get("/api/account").json()
    assert (state["account"], state["signed_out"]) == (None, False)
    assert state["ban"]["reason"] == "Offensive name"
    assert refused(client, "claim/options", name="Bert") == (403, "banned")
    assert refused(client, "rename", name="Bert") == (401, "signed_out")
    assert client.get("/api/account/export").status_code == 401
    other = browser()
    options = ask(other, "sign-in/options")["options"]
    credential = device.sign(options, f"http://localhost:{site.port}")
    answer = other.post("/api/account/sign-in", json={"credential": credential})
    assert answer.status_code == 403
    assert "(reason: Offensive name)" in answer.json()["error"]["message"]
    assert refused(other, "recover", code=codes[0]) == (403, "banned")
    assert done("people", "unban", "Ann") == "Ann is no longer banned.\n"
    assert client.get("/api/account").json()["account"]["name"] == "Ann"
    assert ask(other, "recover", code=codes[0])["account"]["codes"] == 7


def test_another_account_can_sign_in_to_the_browser_of_a_banned_one(browser: Open) -> None:
    """The other account's login replaces the banned one."""
    ann, bert, device = browser(), browser(), SoftAuthenticator(2)
    claim(ann, SoftAuthenticator(1), "Ann")
    claim(bert, device, "Bert")
    done("people", "ban", "Ann", "--reason", "spam")
    before = login_cookie(ann)
    assert sign_in(ann, device)["account"]["name"] == "Bert"
    assert login_cookie(ann) != before
    assert ann.get("/api/account").json()["ban"] is None


def test_a_deleted_player_disappears_from_the_running_server(browser: Open, site: Any) -> None:
    """The session is dropped from memory, and anything it saved in the meantime is deleted."""
    client = browser()
    claim(client, SoftAuthenticator(1), "Ann")
    with window(site, client) as player:
        player.send("new", settings={"level": "9x9:10"})
        player.send("open", cell=[0, 0])
        [owner] = _owners(site)
        refusal = sapper("admin", "people", "delete", "Ann")
        said = "sapper: confirm with --yes: deleting an account cannot be undone\n"
        assert (refusal.code, refusal.err) == (2, said)
        assert done("people", "delete", "Ann", "--yes") == "Deleted Ann and 0 games.\n"
        closed(player)
    until(lambda: owner not in _owners(site), "the deletion")
    assert client.get("/api/account").json()["account"] is None
    with window(site, client) as guest:
        assert guest.welcome["game"]["actions"] == 0
    assert sapper("admin", "people", "show", "Ann").err.startswith(
        "sapper: no account has the name or id 'Ann'"
    )


def _owners(site: Any) -> set[str]:
    with site.database.reading() as db:
        return {row[0] for row in db.execute("SELECT id FROM sessions").fetchall()}


def test_an_operator_sees_renames_and_exports_people(
    browser: Open, site: Any, tmp_path: Path
) -> None:
    """The list can be searched and sorted; the export is the same as the player's."""
    ann, bert = browser(), browser()
    claim(ann, SoftAuthenticator(1), "Ann")
    claim(bert, SoftAuthenticator(2), "Bert")
    listed = done("people", "list")
    assert [line.split()[0] for line in listed.splitlines()] == ["name", "Ann", "Bert", "2"]
    for order in ("name", "created", "seen", "games"):
        found = sapper("admin", "people", "list", "--json", "--sort", order).json
        assert {one["name"] for one in found} == {"Ann", "Bert"}
    assert sapper("admin", "people", "list", "--search", "zoe").code == 1
    assert sapper("admin", "people", "list", "--banned").out == "0 accounts\n"
    assert done("people", "rename", "Ann", "Anna") == "Renamed Ann to Anna.\n"
    assert ann.get("/api/account").json()["account"]["name"] == "Anna"
    taken = sapper("admin", "people", "rename", "Bert", "anna")
    assert (taken.code, taken.err) == (
        2,
        "sapper: this name is taken, or looks like one that is\n",
    )
    assert "recovery codes  8" in done("people", "show", "anna")
    [shown] = sapper("admin", "people", "show", "anna", "--json").json
    assert (shown["codes"], len(shown["passkeys"]), shown["ban"]) == (8, 1, None)
    file = tmp_path / "ann.zip"
    assert done("people", "export", "Anna", str(file)).endswith("0 games of Anna.\n")
    own = zipfile.ZipFile(io.BytesIO(ann.get("/api/account/export").content))
    with zipfile.ZipFile(file) as made:
        assert made.namelist() == own.namelist()
        assert json.loads(made.read("account.json"))["name"] == "Anna"


def test_announcements_reach_open_and_later_windows(browser: Open, site: Any) -> None:
    """Announcements can be withdrawn; countdowns are sent in milliseconds."""
    with site.player() as player:
        done("announce", "Tournament tonight")
        found = player.until("announcements")["announcements"]
        assert [(one["text"], one["restart"], one["in_ms"]) for one in found] == [
            ("Tournament tonight", False, None)
        ]
        done("announce", "--restart", "--in", "10m")
        _, restart = player.until("announcements")["announcements"]
        assert restart["restart"]
        assert 590_000 < restart["in_ms"] <= 600_000
        assert restart["ends_in_ms"] - restart["in_ms"] == 60_000
        with site.player() as later:
            assert len(later.until("announcements")["announcements"]) == 2
        lines = done("announcements").splitlines()
        assert lines[0].endswith("Tournament tonight")
        assert done("withdraw", restart["id"]).startswith(f"Withdrew {restart['id']}")
        assert len(player.until("announcements")["announcements"]) == 1
        done("withdraw")
        assert player.until("announcements")["announcements"] == []
    assert sapper("admin", "withdraw").code == 1
    assert sapper("admin", "announcements").out == "There are no announcements.\n"


def test_rooms_forget_a_player_who_deletes_the_account(browser: Open, site: Any) -> None:
    """The room stays open for the others, and is saved without the id and the name."""
    client = browser()
    claim(client, SoftAuthenticator(1), "Ann")
    code = client.post("/api/rooms", json={"kind": "race"}).json()["code"]
    with site.database.reading() as db:
        [ann] = db.execute("SELECT player FROM accounts").fetchone()

    def saved() -> str:
        with site.database.reading() as db:
            rooms = db.execute("SELECT maker, summary, state FROM rooms").fetchall()
            return f"{rooms} {db.execute('SELECT event FROM room_events').fetchall()}"

    with site.member(code, "b" * 24) as bob:
        bob.send("join")
        assert ann in saved()
        assert "Ann" in saved()
        assert client.post("/api/account/delete", json={"name": "Ann"}).status_code == 200
        while [one["name"] for one in bob.until("members")["members"]] != [
            free_nickname("b" * 24, ())
        ]:
            pass
        until(lambda: ann not in saved() and "Ann" not in saved(), "the room is saved")
        assert "b" * 24 in saved()


class _Failing:
    """Sessions whose first deletion fails."""

    def __init__(self) -> None:
        self.deleted: list[str] = []
        self.told, self.done = asyncio.Event(), asyncio.Event()

    def tell(self, message: object) -> None:
        """Record that the first changes have been found."""
        self.told.set()

    @property
    def ids(self) -> set[str]:
        """The sessions in memory."""
        return {"ann", "bert"}

    async def forget(self, alias: str) -> None:
        """Forget a player in rooms."""

    def remove(self, codes: set[str]) -> None:
        """Remove rooms."""

    async def delete(self, player: str, erase: Callable[[], None]) -> None:
        """Fail the first time."""
        self.deleted.append(player)
        if len(self.deleted) == 1:
            raise OSError("no space left")
        erase()
        self.done.set()


def test_a_deletion_that_fails_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server keeps checking for changes."""
    monkeypatch.setattr(site_changes, "_INTERVAL_S", 0.0)
    database, sessions = SqliteDatabase(None), _Failing()
    Announcements(database).add("Hello", 60_000)
    windows = OpenWindows(LocalBus())
    others: Any = sessions
    changes = site_changes.SiteChanges(database, windows, others, others, BannedNetworks())

    async def run() -> None:
        task = asyncio.create_task(changes.run())

        async def until(event: asyncio.Event) -> None:
            waiting = asyncio.create_task(event.wait())
            await asyncio.wait({task, waiting}, return_when=asyncio.FIRST_COMPLETED)
            assert waiting.done(), task.result()

        await until(sessions.told)
        with database.writing() as db:
            db.execute("INSERT INTO removed_players VALUES (?, 1)", (alias_of("ann"),))
        await until(sessions.done)
        task.cancel()

    asyncio.run(run())
    assert sessions.deleted == ["ann", "ann"]
    database.close()
