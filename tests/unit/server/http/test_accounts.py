"""Accounts over HTTP: claiming, signing in, recovery, logins, export and deletion."""

from __future__ import annotations

import io
import json
import sqlite3
import sys
import zipfile
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

from sapper.history import Record
from sapper.server import limits
from sapper.server.accounts import challenges
from sapper.server.http import account_export
from sapper.server.http.networks import Networks
from sapper.server.http.visitors import SessionIds
from sapper.server.storage.store import Store
from sapper.simulation import Match
from support.account_requests import (
    ask,
    claim,
    closed,
    login_cookie,
    origin,
    refused,
    response,
    sign_in,
)
from support.authenticators import SoftAuthenticator
from support.endless import endless

_GAME = json.dumps(Record.of_game(Match("exact", "beginner").game(0), 1).to_json())

Browsers = Callable[..., httpx.Client]


@pytest.fixture
def browser(site: Any) -> Iterator[Browsers]:
    """A function that opens browsers, each with its own cookies."""
    opened: list[httpx.Client] = []

    def make(**headers: str) -> httpx.Client:
        made = httpx.Client(
            base_url=f"http://localhost:{site.port}",
            headers=headers,
            trust_env=False,
            verify=False,
            timeout=300,
        )
        opened.append(made)
        return made

    yield make
    for one in opened:
        one.close()


def games(client: httpx.Client) -> int:
    """Return the number of games that a browser can see."""
    return int(client.get("/api/history/games").json()["total"])


def test_games_of_a_guest_join_the_account_on_every_browser(browser: Browsers, site: Any) -> None:
    """The guest's cookie is replaced, and its old value gives no access."""
    first, device = (
        browser(**{"user-agent": "Mozilla (Windows NT) Firefox/140.0"}),
        SoftAuthenticator(1),
    )
    assert first.post("/api/history/import", content=_GAME).json()["added"] == 1
    guest = first.cookies["sapper"]
    found = claim(first, device, "Ann")
    assert found["account"]["name"] == "Ann"
    assert found["account"]["codes"] == len(found["codes"]) == 8
    assert [one["device"] for one in found["account"]["sessions"]] == ["Firefox, Windows"]
    assert first.cookies["sapper"] != guest
    assert games(first) == 1
    second = browser()
    second.get("/")
    assert games(second) == 0
    account = sign_in(second, device)["account"]
    assert games(second) == 1
    assert [one["current"] for one in account["sessions"]].count(True) == 1
    thief = browser(cookie=f"sapper={guest}")
    assert games(thief) == 0
    assert thief.get("/").cookies["sapper"] != guest
    ask(second, "sign-out")
    assert games(second) == 0
    assert first.get("/api/account").json()["account"]["name"] == "Ann"


def test_cookies_of_logins_are_safe(browser: Browsers) -> None:
    """Scripts cannot read login cookies, other sites cannot send them, and HTTPS protects them."""
    client = browser()
    options = ask(client, "claim/options", name="Ann")["options"]
    credential = SoftAuthenticator(1).create(options, origin(client))
    answer = client.post("/api/account/claim", json={"name": "Ann", "credential": credential})
    for line in answer.headers.get_list("set-cookie"):
        assert "httponly" in line.lower()
        assert "samesite=strict" in line.lower()


def test_forged_ended_and_foreign_cookies_are_refused(browser: Browsers, site: Any) -> None:
    """Refused cookies get status 401; a browser whose login has ended is notified once."""
    client, other, device = browser(), browser(), SoftAuthenticator(1)
    claim(client, device, "Ann")
    sign_in(other, device)
    name, cookie = login_cookie(other)
    token, _, signature = cookie.partition(".")
    guest = SessionIds(site.ids._secret).sign(token)
    foreign = SessionIds(b"f" * 32).sign(token)
    for wrong in (
        "",
        "x",
        f"{token}.",
        f"{token}.{'0' * 32}",
        f"{'a' * 24}.{signature}",
        guest,
        foreign,
    ):
        forged = browser(cookie=f"{name}={wrong}")
        for path in ("codes", "rename", "delete", "passkeys/options", "sessions/end-others"):
            assert refused(forged, path, name="Bert") == (401, "signed_out")
        assert forged.get("/api/account/export").status_code == 401
    # A login cookie is not accepted as a guest's cookie either.
    assert games(browser(cookie=f"sapper={cookie}")) == 0
    assert ask(client, "sessions/end-others")["account"]["sessions"][0]["current"]
    assert refused(other, "codes") == (401, "signed_out")
    assert other.get("/api/account").json()["signed_out"]
    assert not other.get("/api/account").json()["signed_out"]


def test_challenge_is_answered_once_by_its_own_browser(browser: Browsers) -> None:
    """Another browser's answer and a second answer are refused, for claims and sign-ins."""
    client, device = browser(), SoftAuthenticator(1)
    options = ask(client, "claim/options", name="Ann")["options"]
    created = device.create(options, origin(client))
    thief = browser()
    thief.get("/")
    assert refused(thief, "claim", name="Ann", credential=created) == (403, "bad_challenge")
    assert refused(client, "sign-in", credential=created) == (403, "bad_challenge")
    ask(client, "claim", name="Ann", credential=created)
    assert refused(client, "claim", name="Ann", credential=created) == (400, "bad_message")
    ask(client, "sign-out")
    signed = response(client, device)
    assert refused(thief, "sign-in", credential=signed) == (403, "bad_challenge")
    ask(client, "sign-in", credential=signed)
    ask(client, "sign-out")
    assert refused(client, "sign-in", credential=signed) == (403, "bad_challenge")
    stranger = response(client, SoftAuthenticator(2))
    assert refused(client, "sign-in", credential=stranger) == (403, "bad_passkey")


def test_an_expired_challenge_is_refused(
    browser: Browsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claims, sign-ins and additional passkeys are tried with expired challenges."""
    client, device = browser(), SoftAuthenticator(1)
    lifetime = challenges.LIFETIME_S
    monkeypatch.setattr(challenges, "LIFETIME_S", -1)
    options = ask(client, "claim/options", name="Ann")["options"]
    created = device.create(options, origin(client))
    assert refused(client, "claim", name="Ann", credential=created) == (403, "bad_challenge")
    signed = response(client, device)
    assert refused(client, "sign-in", credential=signed) == (403, "bad_challenge")
    monkeypatch.setattr(challenges, "LIFETIME_S", lifetime)
    claim(client, device, "Ann")
    monkeypatch.setattr(challenges, "LIFETIME_S", -1)
    options = ask(client, "passkeys/options")["options"]
    added = SoftAuthenticator(2).create(options, origin(client))
    assert refused(client, "passkeys", credential=added) == (403, "bad_challenge")


def test_an_expired_login_is_refused(browser: Browsers, store: Store) -> None:
    """The browser becomes a guest again, whose cookie gives no access to the account."""
    client, device = browser(), SoftAuthenticator(1)
    client.post("/api/history/import", content=_GAME)
    claim(client, device, "Ann")
    with store.transaction() as db:
        db.execute("UPDATE logins SET seen_ms = 1")
    assert refused(client, "codes") == (401, "signed_out")
    assert games(client) == 0
    assert client.get("/api/account").json()["signed_out"]


def test_other_origins_are_refused(browser: Browsers) -> None:
    """Neither the response nor the request may come from another site or port."""
    client, device = browser(), SoftAuthenticator(1)
    claim(client, device, "Ann")
    ask(client, "sign-out")
    for other in ("https://evil.example", "http://localhost:1", "null"):
        options = ask(client, "sign-in/options")["options"]
        assert refused(client, "sign-in", credential=device.sign(options, other)) == (
            403,
            "bad_passkey",
        )
        sent = client.post("/api/account/sign-in", json={}, headers={"origin": other})
        assert (sent.status_code, sent.json()["error"]["code"]) == (403, "forbidden")


def test_copied_passkey_is_locked_and_a_code_signs_in(browser: Browsers) -> None:
    """The owner signs in with a code, removes the locked passkey, and uses a new one."""
    client, device, copy = browser(), SoftAuthenticator(1), SoftAuthenticator(1)
    codes = claim(client, device, "Ann")["codes"]
    ask(client, "sign-out")
    sign_in(client, device)
    thief = browser()
    assert refused(thief, "sign-in", credential=response(thief, copy)) == (403, "copied_passkey")
    [locked] = client.get("/api/account").json()["account"]["passkeys"]
    assert locked["locked_ms"] is not None
    ask(client, "sign-out")
    for later in (device, copy):
        assert refused(client, "sign-in", credential=response(client, later)) == (
            403,
            "copied_passkey",
        )
    assert refused(client, "recover", code="ZZZZ-ZZZZ-ZZZZ-ZZZZ") == (403, "bad_code")
    assert ask(client, "recover", code=codes[3].lower())["account"]["codes"] == 7
    new = SoftAuthenticator(2)
    options = ask(client, "passkeys/options")["options"]
    assert [one["id"] for one in options["excludeCredentials"]] == [locked["id"]]
    ask(client, "passkeys", credential=new.create(options, origin(client)))
    [left] = ask(client, "passkeys/remove", id=locked["id"])["account"]["passkeys"]
    assert refused(client, "passkeys/remove", id=left["id"]) == (403, "bad_passkey")
    fresh = ask(client, "codes")
    assert not set(fresh["codes"]) & set(codes)
    ask(client, "sign-out")
    assert refused(client, "recover", code=codes[0]) == (403, "bad_code")
    sign_in(client, new)


def test_names_that_look_alike_belong_to_one_account(browser: Browsers) -> None:
    """A name stays reserved after a rename, which is possible once."""
    client, other = browser(), browser()
    claim(client, SoftAuthenticator(1), "mike")
    for name in ("Mike", "rnike", "ｍｉｋｅ"):
        assert refused(other, "claim/options", name=name) == (409, "name_taken")
    assert refused(other, "claim/options", name="admin") == (400, "bad_name")
    assert refused(other, "claim/options", name=5) == (400, "bad_message")
    lone = other.post("/api/account/claim/options", content=r'{"name": "\ud800x"}')
    assert (lone.status_code, lone.json()["error"]["code"]) == (400, "bad_message")
    assert ask(client, "rename", name="Michael")["account"]["rename_from_ms"] is not None
    assert refused(other, "claim/options", name="mike") == (409, "name_taken")
    assert refused(client, "rename", name="Mick") == (409, "too_soon")
    claim(other, SoftAuthenticator(2), "Nora")
    assert refused(other, "rename", name="michael") == (409, "name_taken")
    assert other.get("/api/account").json()["account"]["name"] == "Nora"
    assert refused(other, "claim/options", name="Olga") == (400, "bad_message")


def practise(client: httpx.Client) -> str:
    """Answer an exercise and request the next one; return the pattern of the first."""
    served = client.post("/api/learn/practice", json={}).json()["exercise"]
    answer = client.post("/api/learn/practice/answer", json={"exercise": served["id"]}).json()
    client.post("/api/learn/practice", json={})
    return str(answer["pattern"])


def test_the_export_has_everything_but_the_running_game(browser: Browsers, site: Any) -> None:
    """The export contains games as in the history, replays, results and settings."""
    client = browser()
    client.post("/api/history/import", content=_GAME)
    client.get("/api/learn")
    practised = practise(client)
    guest = str(site.ids.read(client.cookies["sapper"]))
    with site.player(guest) as window:
        window.send("new", settings={"level": "9x9:10"})
        window.send("open", cell=[4, 4])
    claim(client, SoftAuthenticator(1), "Ann")
    answer = client.get("/api/account/export")
    assert "sapper-account.zip" in answer.headers["content-disposition"]
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        names = archive.namelist()
        [line] = archive.read("games.jsonl").splitlines()
        account = json.loads(archive.read("account.json"))
        settings = json.loads(archive.read("settings.json"))
        patterns = json.loads(archive.read("patterns.json"))
        texts = [archive.read(name) for name in names if name.endswith("settings.json")]
    assert json.loads(line)["level"] == "beginner"
    assert [name for name in names if name.startswith("replays/")] != []
    assert {"daily.json", "trainer.json", "patterns.json", "mistakes.jsonl"} <= set(names)
    assert [card["pattern"] for card in patterns["pattern_cards"]] == [practised]
    assert account["name"] == "Ann"
    assert "assist" in settings
    assert all(word not in text for text in texts for word in (b"seed", b"mined", b'"board"'))


def test_an_export_without_a_replay_still_has_the_game(
    browser: Browsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A replay is left out if creating it takes too long."""
    client = browser()
    client.post("/api/history/import", content=_GAME)
    claim(client, SoftAuthenticator(1), "Ann")
    monkeypatch.setattr(limits, "EXPORT_BUDGET_S", 0.0)
    monkeypatch.setattr(account_export, "replays_of", endless)
    answer = client.get("/api/account/export")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
        assert len(archive.read("games.jsonl").splitlines()) == 1
        assert not [name for name in archive.namelist() if name.startswith("replays/")]


def test_deleting_an_account_leaves_nothing(browser: Browsers, site: Any, store: Store) -> None:
    """Every table is cleared, open windows are closed, and the name can be used again."""
    client, device = browser(), SoftAuthenticator(1)
    client.post("/api/history/import", content=_GAME)
    client.get("/api/learn")
    practise(client)
    player = str(site.ids.read(client.cookies["sapper"]))
    claim(client, device, "Ann")
    name, cookie = login_cookie(client)
    with site.player(Cookie=f"{name}={cookie}") as window:
        window.send("new", settings={"level": "9x9:10"})
        window.send("open", cell=[4, 4])
        assert refused(client, "delete", name="Bert") == (400, "bad_message")
        ask(client, "delete", name="Ann")
        closed(window)
    with store.transaction() as db:
        tables = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        for (table,) in tables:
            if table != "used_challenges":
                assert player not in str(db.execute(f"SELECT * FROM {table}").fetchall()), table
        for table in ("accounts", "account_names", "passkeys", "recovery_codes", "logins"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert refused(client, "codes") == (401, "signed_out")
    claim(client, device, "Ann")


def test_windows_of_an_ended_login_close(browser: Browsers, site: Any) -> None:
    """Windows from other logins stay open."""
    client, other, device = browser(), browser(), SoftAuthenticator(1)
    claim(client, device, "Ann")
    sign_in(other, device)
    [ended] = [
        one["id"]
        for one in client.get("/api/account").json()["account"]["sessions"]
        if not one["current"]
    ]
    cookies = [f"{name}={value}" for name, value in map(login_cookie, (client, other))]
    with site.player(Cookie=cookies[0]) as stays, site.player(Cookie=cookies[1]) as goes:
        assert stays.welcome["type"] == goes.welcome["type"] == "welcome"
        ask(client, "sessions/end", id=ended)
        closed(goes)
        assert stays.send("new", settings={"level": "9x9:10"})["type"] != "error"


def test_errors_do_not_repeat_the_request(browser: Browsers) -> None:
    """The body contains a recovery code, but is malformed or has another type."""
    client = browser()
    for body in (
        '{"code": "9PK6-JXBX',
        '["9PK6-JXBX"]',
        '{"code": ["9PK6-JXBX"]}',
        '{"code": "9PK6-JXBX"}',
    ):
        answer = client.post("/api/account/recover", content=body)
        assert answer.status_code in (400, 403)
        assert "9PK6" not in answer.text


def test_windows_follow_a_sign_in(browser: Browsers, site: Any) -> None:
    """The guest's windows close and connect again with the account."""
    client, other, device = browser(), browser(), SoftAuthenticator(1)
    claim(client, device, "Ann")
    other.get("/")
    guest = site.ids.read(other.cookies["sapper"])
    with site.player(guest) as window:
        sign_in(other, device)
        closed(window)


def test_site_without_passkeys_gives_the_reason(
    site: Any, browser: Browsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The site may have an address instead of a name, or lack an extra."""
    with httpx.Client(base_url=site.url, trust_env=False, verify=False, timeout=300) as client:
        problem = client.get("/api/account").json()["problem"]
        assert problem["address"] == f"http://localhost:{site.port}/account"
        assert refused(client, "sign-in/options") == (400, "no_passkeys")
    monkeypatch.setitem(sys.modules, "webauthn", None)
    client = browser()
    assert "pip install" in client.get("/api/account").json()["problem"]["message"]
    assert refused(client, "claim/options", name="Ann") == (501, "missing_extra")


def test_attempts_are_limited_by_address(run: Callable[..., Any], store: Store) -> None:
    """Behind a proxy, the visitor's own address is limited."""
    with run(store, proxies=Networks(["127.0.0.1"])) as site:
        headers = {"x-forwarded-for": "203.0.113.5"}
        with httpx.Client(
            base_url=site.url, trust_env=False, verify=False, headers=headers, timeout=300
        ) as client:
            statuses = [
                client.post("/api/account/recover", json={"code": "x"}).status_code
                for _ in range(60)
            ]
            assert set(statuses[:40]) == {403}
            assert statuses[-1] == 429
            elsewhere = {"x-forwarded-for": "203.0.113.6"}
            answer = client.post("/api/account/recover", json={"code": "x"}, headers=elsewhere)
            assert answer.status_code == 403


def test_guests_play_while_logins_cannot_be_read(
    site: Any, browser: Browsers, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Requests with a login get an error, but the login remains valid."""
    client, device = browser(), SoftAuthenticator(1)
    claim(client, device, "Ann")
    name, cookie = login_cookie(client)

    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as broken:
        broken.setattr("sapper.server.storage.accounts.Accounts.signed_in", fail)
        answer = client.get("/api/history/games")
        assert (answer.status_code, answer.json()["error"]["code"]) == (503, "store_failed")
        assert client.get("/").status_code == 200
        with site.player(Cookie=f"{name}={cookie}") as window:
            assert window.welcome["error"]["code"] == "store_failed"
        with site.player("g" * 24) as window:
            assert window.welcome["type"] == "welcome"
    assert client.get("/api/account").json()["account"]["name"] == "Ann"
