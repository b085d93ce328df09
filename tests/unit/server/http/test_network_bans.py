"""Guests on a banned network play alone; commands ban and unban networks while a server runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

from sapper.errors import BadSetting
from sapper.server import Networks
from sapper.server.cluster.membership import join
from sapper.server.http.banned_networks import BannedNetworks
from sapper.server.http.networks import parse_subscribers
from sapper.server.storage.network_bans import NetworkBan, NetworkBanned, NetworkBans
from sapper.server.storage.postgresql_database import PostgresqlDatabase
from sapper.server.storage.sqlite_database import SqliteDatabase
from sapper.server.storage.store import Store
from support.account_requests import claim, refused, sign_in
from support.authenticators import SoftAuthenticator
from support.postgresql import clean_database
from support.program import sapper
from support.redis_server import redis_server
from support.waiting import until

PROXIES = Networks(["127.0.0.1"])
HERE, NEAR, FAR, V6 = "203.0.113.9", "203.0.113.77", "198.51.100.7", "2001:db8:1:2::5"
RACE = {"kind": "race"}
MESSAGE = (
    "guests on your network cannot join rooms or claim names (reason: Spam); "
    "you can still play alone, or sign in"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def site(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    run: Callable[..., Any],
) -> Iterator[Any]:
    """A server behind a proxy, on each database engine in turn, found by the commands."""
    if request.param == "sqlite":
        monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
        database: Any = SqliteDatabase(tmp_path)
    else:
        address = clean_database()
        monkeypatch.setenv("SAPPER_DATABASE", address)
        database = PostgresqlDatabase(address)
    with Store(database) as store, run(store, proxies=PROXIES) as made:
        made.database = database
        yield made


@pytest.fixture
def browser(site: Any) -> Iterator[Callable[[str], httpx.Client]]:
    """A function that opens browsers at an address."""
    with ExitStack() as stack:

        def opened(address: str) -> httpx.Client:
            return stack.enter_context(client_of(site, address))

        yield opened


def client_of(site: Any, address: str) -> httpx.Client:
    """Return a browser at an address."""
    headers = {"X-Forwarded-For": address}
    url = f"http://localhost:{site.port}"
    return httpx.Client(base_url=url, headers=headers, trust_env=False, verify=False, timeout=300)


def done(*arguments: str) -> str:
    """Run a command that must succeed, and return its output."""
    result = sapper("admin", "networks", *arguments)
    assert (result.code, result.err) == (0, "")
    out: str = result.out
    return out


def made_room(client: httpx.Client) -> str:
    """Create a room, and return its code."""
    code: str = client.post("/api/rooms", json=RACE).json()["code"]
    return code


def is_banned(client: httpx.Client) -> bool:
    """Return whether a visitor cannot create a room."""
    answer = client.post("/api/rooms", json=RACE)
    assert answer.status_code in (200, 403)
    return answer.status_code == 403


def test_guests_on_a_banned_network_play_alone(
    site: Any, browser: Callable[[str], httpx.Client]
) -> None:
    """Open room windows close and stay closed; all others on the network are treated alike."""
    here, far = browser(HERE), browser(FAR)
    code = made_room(far)
    headers = {"X-Forwarded-For": HERE}
    with (
        site.member(code, "a" * 24, **headers) as guest,
        site.member(code, "b" * 24, **{"X-Forwarded-For": FAR}) as other,
        site.player("a" * 24, **headers) as alone,
    ):
        out = done("ban", "203.0.113.0/24", "--reason", "Spam")
        assert out == "Banned guests on 203.0.113.0/24 until it is unbanned.\n"
        guest.until_closed()
        with site.member(code, "a" * 24, **headers) as again:
            assert again.welcome == {"error": {"code": "network_banned", "message": MESSAGE}}
            again.until_closed()
        assert other.send("join")["type"] == "view"
        assert alone.send("open", cell=[0, 0])["type"] in ("delta", "state")
    refusal = here.post("/api/rooms", json=RACE)
    assert refusal.status_code == 403
    assert refusal.json()["error"] == {"code": "network_banned", "message": MESSAGE}
    assert refused(browser(NEAR), "claim/options", name="Bert") == (403, "network_banned")
    german = here.post("/api/rooms", json=RACE, headers={"Accept-Language": "de"})
    assert german.json()["error"]["message"].startswith("Gäste in Ihrem Netzwerk")
    assert not is_banned(far)
    assert done("unban", "203.0.113.0/24") == "203.0.113.0/24 is no longer banned.\n"
    until(lambda: not is_banned(here), "the end of the ban")


def test_accounts_are_not_banned_with_their_network(
    browser: Callable[[str], httpx.Client],
) -> None:
    """A signed-in player enters rooms, and a guest can sign in to an account."""
    signed_in, guest, device = browser(HERE), browser(NEAR), SoftAuthenticator(1)
    claim(signed_in, device, "Ann")
    done("ban", HERE, "--reason", "Spam")
    done("ban", NEAR, "--reason", "Spam")
    until(lambda: is_banned(guest), "the ban")
    assert not is_banned(signed_in)
    assert sign_in(guest, device)["account"]["name"] == "Ann"
    assert not is_banned(guest)


def test_a_name_cannot_be_claimed_with_options_from_before_the_ban(
    browser: Callable[[str], httpx.Client],
) -> None:
    """The claim itself is checked too."""
    guest = browser(HERE)
    options = guest.post("/api/account/claim/options", json={"name": "Ann"}).json()["options"]
    done("ban", HERE, "--reason", "Spam")
    until(lambda: is_banned(guest), "the ban")
    credential = SoftAuthenticator(1).create(options, str(guest.base_url).rstrip("/"))
    answer = refused(guest, "claim", name="Ann", credential=credential)
    assert answer == (403, "network_banned")


def test_ipv6_addresses_of_a_subscriber_are_banned_together(
    browser: Callable[[str], httpx.Client],
) -> None:
    """An address stands for its /64; the next network is not affected."""
    same, next_one = browser("2001:db8:1:2:ffff::1"), browser("2001:db8:1:3::5")
    assert done("ban", V6, "--reason", "Spam").startswith("Banned guests on 2001:db8:1:2::/64 ")
    until(lambda: is_banned(same), "the ban")
    assert not is_banned(next_one)


def test_only_the_proxy_says_who_is_banned(
    browser: Callable[[str], httpx.Client], site: Any
) -> None:
    """A visitor can neither take another address nor leave its own with a forged header."""
    done("ban", HERE, "--reason", "Spam")
    until(lambda: is_banned(browser(HERE)), "the ban")
    assert is_banned(browser(f"{FAR}, {HERE}"))
    assert not is_banned(browser(f"{HERE}, {FAR}"))


def test_bans_end_by_themselves(site: Any, browser: Callable[[str], httpx.Client]) -> None:
    """The row of an expired ban is deleted by the running server."""
    client = browser(HERE)
    done("ban", HERE, "--reason", "Spam", "--until", "2130-01-31")
    until(lambda: is_banned(client), "the ban")
    message = client.post("/api/rooms", json=RACE).json()["error"]["message"]
    assert "until 2130-01-31" in message
    with site.database.writing() as db:
        db.execute("UPDATE network_bans SET until_ms = since_ms + 1")
    until(lambda: not is_banned(client), "the end of the ban")

    def rows() -> int:
        with site.database.reading() as db:
            return int(db.execute("SELECT count(*) FROM network_bans").fetchone()[0])

    until(lambda: rows() == 0, "the row is deleted")
    assert sapper("admin", "networks", "list").out == "No network is banned.\n"


def test_bans_of_an_earlier_process_apply_from_the_start(
    tmp_path: Path, run: Callable[..., Any]
) -> None:
    """They are read before the first visitor is served."""
    database = SqliteDatabase(tmp_path)
    NetworkBans(database).ban(f"{HERE}/32", "Spam", None)
    with (
        Store(database) as store,
        run(store, proxies=PROXIES) as site,
        client_of(site, HERE) as client,
    ):
        assert is_banned(client)


def test_bans_reach_all_workers(run: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Windows close at every worker, including those that another worker serves."""
    address = clean_database()
    monkeypatch.setenv("SAPPER_DATABASE", address)
    with redis_server() as redis, ExitStack() as stack:
        sites = []
        for name in ("a", "b"):
            database = PostgresqlDatabase(address, shared=True)
            store = stack.enter_context(Store(database, worker=name))
            cluster = join(store, redis.address)
            sites.append(stack.enter_context(run(store, cluster=cluster, proxies=PROXIES)))
        clients = [stack.enter_context(client_of(site, HERE)) for site in sites]
        code = made_room(clients[0])
        headers = {"X-Forwarded-For": HERE}
        windows = [
            stack.enter_context(site.member(code, session * 24, **headers))
            for site, session in zip(sites, "ab", strict=True)
        ]
        done("ban", HERE, "--reason", "Spam")
        for window in windows:
            window.until_closed()
        for client in clients:
            until(lambda client=client: is_banned(client), "the ban")


def test_the_ban_that_lasts_longest_is_shown() -> None:
    """Overlapping networks may be banned; an expired ban counts no more at once."""
    now = 5.0
    banned = BannedNetworks(lambda: now)
    banned.replace(
        [
            NetworkBan("203.0.113.0/24", "short", 0, 9_000),
            NetworkBan("203.0.113.9/32", "long", 0, 90_000),
            NetworkBan("a damaged row", "none", 0, None),
        ]
    )
    with pytest.raises(NetworkBanned, match=r"until 1970-01-01 00:01 UTC \(reason: long\)"):
        banned.check(HERE)
    assert NEAR in banned
    assert f"::ffff:{NEAR}" in banned
    assert FAR not in banned
    assert "" not in banned
    now = 9.0
    assert NEAR not in banned
    assert HERE in banned


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("203.0.113.9", "203.0.113.9/32"),
        ("203.0.113.9/24", "203.0.113.0/24"),
        ("2001:db8::7", "2001:db8::/64"),
        ("2001:db8::7/128", "2001:db8::7/128"),
        ("::ffff:203.0.113.9", "203.0.113.9/32"),
        ("::ffff:203.0.113.0/120", "203.0.113.0/24"),
    ],
)
def test_networks_are_written_in_one_way(text: str, network: str) -> None:
    """What is banned in one notation can be unbanned in another."""
    assert str(parse_subscribers(text)) == network


@pytest.mark.parametrize("text", ["", "203.0.113", "203.0.113.9/33", "localhost"])
def test_other_text_is_refused(text: str) -> None:
    """Addresses and networks are named as examples."""
    with pytest.raises(BadSetting, match="expected an IP address or a network"):
        parse_subscribers(text)


@pytest.mark.parametrize("network", ["127.0.0.1", "::1", "0.0.0.0/0", "::/0"])
def test_this_machine_cannot_be_banned(network: str) -> None:
    """Behind a proxy that is not trusted, all visitors would have its address."""
    refusal = sapper("admin", "networks", "ban", network, "--reason", "Spam")
    assert refusal.code == 2
    assert "includes this machine" in refusal.err
