"""Pages under 127.0.0.1 move to localhost, and the visitor's games move with them."""

from __future__ import annotations

import hashlib
import hmac
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest

from sapper.history import Record
from sapper.server.http import moving
from sapper.server.http.address_limits import AddressLimits
from sapper.server.http.networks import Networks
from sapper.server.http.visitors import Visitors
from sapper.server.storage.joining import Guests
from sapper.server.storage.schema import SCHEMA
from sapper.server.storage.store import Store
from sapper.simulation import Match
from support.filled_store import Someone, fill_every_table

HERE, THERE = "h" * 24, "t" * 24
OLD = Path(__file__).parents[3] / "data" / "saved_games_1.0.0.sqlite3"
OLD_VISITOR = "tCulvLLf2zBBG8GuvQTzSvms"
"""A visitor of that file with finished games, a running game, a daily board and a rating."""
_PAGE = {"accept": "text/html,*/*;q=0.8", "sec-fetch-dest": "document"}


@pytest.fixture
def site(any_store: Store, run: Callable[..., Any]) -> Iterator[Any]:
    """A server whose pages move, on each database engine in turn."""
    with run(any_store, moves_to_localhost=True) as running:
        yield running


def set_cookie(client: httpx.Client, name: str, value: str) -> None:
    """Set a cookie as a server would, so that the server can replace it."""
    host = client.base_url.host
    client.cookies.set(name, value, domain=f"{host}.local" if host == "localhost" else host)


@pytest.fixture(autouse=True)
def _closed_browsers() -> Iterator[None]:
    yield
    while Browser.opened:
        Browser.opened.pop().close()


class Browser:
    """A browser that knows this machine under two names, with own cookies for each.

    Args:
        site: The server.
        here: The guest at localhost.
        there: The guest at 127.0.0.1.
    """

    opened: ClassVar[list[httpx.Client]] = []

    def __init__(self, site: Any, here: str = "", there: str = "") -> None:
        self.ids = site.ids
        self.here = self._client(f"http://localhost:{site.port}", here)
        self.there = self._client(f"http://127.0.0.1:{site.port}", there)

    def _client(self, url: str, session: str) -> httpx.Client:
        client = httpx.Client(base_url=url, trust_env=False, verify=False, timeout=300)
        if session:
            set_cookie(client, "sapper", self.ids.sign(session))
        self.opened.append(client)
        return client

    def token(self) -> str:
        """Return a token for what the browser has at 127.0.0.1."""
        answer = self.there.post("/api/move")
        assert answer.status_code == 200, answer.text
        return str(answer.json()["token"])

    def arrive(self, token: str) -> httpx.Response:
        """Send a token from localhost."""
        return self.here.post("/api/move/arrive", json={"token": token})

    def move(self) -> str | None:
        """Move, and return the guest at localhost."""
        answer = self.arrive(self.token())
        assert answer.status_code == 200, answer.text
        cookie = self.here.cookies.get("sapper")
        return None if cookie is None else self.ids.read(cookie)

    def games(self) -> int:
        """Return the number of games at localhost."""
        return int(self.here.get("/api/history/games").json()["total"])


def _records(first: int, count: int) -> list[Record]:
    match = Match("exact", "beginner")
    return [Record.of_game(match.game(first + i), 1_000 + first + i) for i in range(count)]


def _add_games(store: Store, session: str, first: int, count: int) -> None:
    store.history.of(session).add_all(_records(first, count))


def _play(site: Any, session: str, cells: int) -> None:
    with site.player(session) as player:
        for at in range(cells):
            player.send("mark", cell=[0, at])


def _marks(site: Any, session: str) -> int:
    with site.player(session) as player:
        return "".join(player.welcome["game"]["rows"]).count("F")


def _refused(answer: httpx.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


# Which requests move.


@pytest.mark.parametrize("path", ["/", "/analyze?p=1&q=%3C", "/r/ABCDEF", "/@ann", "/nowhere"])
@pytest.mark.parametrize("host", ["127.0.0.1:8000", "[::1]:8000", "127.0.0.1"])
@pytest.mark.family
def test_pages_under_an_address_move(site: Any, host: str, path: str) -> None:
    """The page has a link to the same URL at localhost, for browsers without scripts."""
    answer = Browser(site).there.get(path, headers={**_PAGE, "host": host})
    port = ":8000" if host.endswith(":8000") else ""
    url = f"http://localhost{port}{path}".replace("&", "&amp;")
    assert f'href="{url}"' in answer.text
    assert f'content="0; url={url}"' in answer.text
    assert answer.headers["cache-control"] == "no-store"
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("path", "changes"),
    [
        ("/", {"accept": "*/*"}),
        ("/", {"sec-fetch-dest": "iframe"}),
        ("/", {"host": "localhost:8000"}),
        ("/", {"x-forwarded-for": "192.0.2.1"}),
        ("/api/menu", {}),
        ("/static/icon.svg", {}),
        ("/service-worker.js", {}),
        ("/manifest.webmanifest", {}),
        ("/offline", {}),
        ("/healthz", {}),
        ("/readyz", {}),
        ("/metrics", {}),
    ],
)
def test_programs_and_files_do_not_move(site: Any, path: str, changes: dict[str, str]) -> None:
    """Requests of other programs are answered under every name."""
    answer = Browser(site).there.get(path, headers=_PAGE | changes)
    assert "leave.js" not in answer.text
    assert answer.status_code in (200, 501)


def test_posts_do_not_move(site: Any) -> None:
    """Requests that change something are answered as before."""
    answer = Browser(site).there.post("/api/analyze", json={}, headers=_PAGE)
    assert answer.status_code == 400


def test_pages_stay_if_localhost_is_another_program(
    any_store: Store, run: Callable[..., Any]
) -> None:
    """Then the server is used under its address, as in earlier versions."""
    with run(any_store) as site:
        assert "leave.js" not in Browser(site).there.get("/", headers=_PAGE).text


def test_windows_under_an_address_stay_open(site: Any) -> None:
    """Pages that were opened before an update keep playing."""
    with site.player(THERE) as player:
        assert player.send("mark", cell=[0, 0])["turn"] > 0


def test_hostile_paths_cannot_leave_the_machine(site: Any) -> None:
    """The link always begins with this machine's name, and is escaped."""
    for path in ("//evil.example/", "/%0d%0aset-cookie:a=b", '/"><script>', "/\\evil.example"):
        text = Browser(site).there.get(path, headers=_PAGE).text
        [href] = [part.split('"')[0] for part in text.split('href="')[1:]]
        assert href.startswith(f"http://localhost:{site.port}/")
        assert "<script>" not in text


# Moved data.


def test_the_guest_moves_if_there_is_none_at_localhost(site: Any) -> None:
    """The games are there under the same identity, and moving again changes nothing."""
    _add_games(site.store, THERE, 0, 3)
    browser = Browser(site, there=THERE)
    assert browser.move() == THERE
    assert browser.games() == 3
    assert browser.move() == THERE
    assert browser.games() == 3


def test_the_guest_moves_if_the_one_at_localhost_has_not_played(site: Any) -> None:
    """Opening a page at localhost is no reason to keep its empty history."""
    _play(site, THERE, 2)
    browser = Browser(site)
    browser.here.get("/", headers={**_PAGE, "host": f"localhost:{site.port}"})
    set_cookie(browser.there, "sapper", browser.ids.sign(THERE))
    assert browser.move() == THERE
    assert _marks(site, THERE) == 2


def test_a_new_visitor_moves_with_nothing(site: Any) -> None:
    """A guest at localhost is kept."""
    assert Browser(site).move() is None
    assert Browser(site, here=HERE).move() == HERE


@pytest.mark.parametrize(("here", "there"), [(2, 5), (5, 2), (3, 3)])
def test_the_games_of_both_guests_are_joined(site: Any, here: int, there: int) -> None:
    """The guest with more games gets those of the other; at equality, the one at localhost."""
    _add_games(site.store, HERE, 0, here)
    _add_games(site.store, THERE, 100, there)
    browser = Browser(site, HERE, THERE)
    kept = THERE if there > here else HERE
    assert browser.move() == kept
    assert browser.games() == here + there
    assert site.store.history.of(HERE if kept == THERE else THERE).rows(limit=1) == []
    assert browser.move() == kept
    assert browser.games() == here + there


def test_what_both_guests_have_is_kept_from_one(site: Any) -> None:
    """A game that both imported counts once."""
    records = _records(0, 5)
    site.store.history.of(HERE).add_all(records[:4])
    site.store.history.of(THERE).add_all(records[2:])
    browser = Browser(site, HERE, THERE)
    assert browser.move() == HERE
    assert browser.games() == 5


@pytest.mark.parametrize(("here", "there", "found"), [(3, 0, 3), (0, 2, 2), (3, 2, 3)])
def test_a_running_game_is_kept(site: Any, here: int, there: int, found: int) -> None:
    """If both have one, that of the guest with more games is."""
    _add_games(site.store, HERE, 0, 9)
    _add_games(site.store, THERE, 100, 1)
    for session, marks in ((HERE, here), (THERE, there)):
        if marks:
            _play(site, session, marks)
    assert Browser(site, HERE, THERE).move() == HERE
    assert _marks(site, HERE) == found


def test_open_windows_show_the_joined_games(site: Any) -> None:
    """Moves that are not saved yet are part of it, and the windows reconnect."""
    _add_games(site.store, HERE, 0, 1)
    with site.player(THERE) as old, site.player(HERE):
        old.send("mark", cell=[0, 0])
        browser = Browser(site, HERE, THERE)
        kept = browser.move()
        assert kept is not None
    assert _marks(site, kept) == 1
    assert browser.games() == 1


def test_a_claimed_guest_does_not_move(site: Any) -> None:
    """Its games belong to an account, for which a login is needed."""
    with site.store.transaction() as db:
        account = ("a" * 24, THERE, "Ann", 0, None)
        db.execute("INSERT INTO accounts VALUES (?, ?, ?, ?, ?)", account)
    _add_games(site.store, THERE, 0, 1)
    assert Browser(site, there=THERE).move() is None


def test_a_login_moves(site: Any) -> None:
    """A browser that signed in at 127.0.0.1, with a recovery code, stays signed in."""
    browser = Browser(site)
    visitors = Visitors(site.store.secret(), AddressLimits())
    login = visitors.new_login()
    with site.store.transaction() as db:
        account = ("a" * 24, THERE, "Ann", 0, None)
        db.execute("INSERT INTO accounts VALUES (?, ?, ?, ?, ?)", account)
        row = (login.digest, "a" * 24, "", 2**53, 2**53)
        db.execute("INSERT INTO logins VALUES (?, ?, ?, ?, ?)", row)
    set_cookie(browser.there, visitors.login_cookie, login.cookie)
    browser.move()
    assert browser.here.get("/api/account").json()["account"]["name"] == "Ann"
    assert browser.there.get("/api/account").json()["account"] is None


# Tokens.


def test_a_token_is_used_once(site: Any) -> None:
    """A URL from a history or a log does not give access."""
    _add_games(site.store, THERE, 0, 1)
    browser = Browser(site, there=THERE)
    token = browser.token()
    assert browser.arrive(token).status_code == 200
    assert _refused(Browser(site).arrive(token)) == (403, "bad_challenge")


def test_a_token_is_short_lived(site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It serves only the redirect."""
    monkeypatch.setattr(moving, "_LIFETIME_S", -1)
    browser = Browser(site, there=THERE)
    assert _refused(browser.arrive(browser.token())) == (403, "bad_challenge")


@pytest.mark.parametrize(
    "change",
    [
        lambda token: token.replace(THERE, HERE),
        lambda token: f"{token}x",
        lambda token: ("x" if token[0] != "x" else "y") + token[1:],
        lambda token: token.partition(".")[0],
        lambda token: "",
        lambda token: f"{token}.",
        lambda token: "é.a.b",
    ],
)
@pytest.mark.family
def test_a_changed_token_is_refused(site: Any, change: Callable[[str], str]) -> None:
    """Knowing the session id of a guest does not give access."""
    browser = Browser(site, there=THERE)
    assert _refused(browser.arrive(change(browser.token()))) == (403, "bad_challenge")
    assert "sapper" not in browser.here.cookies


def test_a_token_of_another_machine_is_refused(any_store: Store, run: Callable[..., Any]) -> None:
    """On a network, a stranger's link cannot give a browser the stranger's identity."""
    proxies = Networks(["127.0.0.1"])
    with run(any_store, None, proxies, moves_to_localhost=True) as site:
        browser = Browser(site, there=THERE)
        answer = browser.there.post("/api/move", headers={"x-forwarded-for": "192.0.2.7"})
        token = answer.json()["token"]
        assert _refused(browser.arrive(token)) == (403, "bad_challenge")


def test_pages_of_other_sites_cannot_move_anything(site: Any) -> None:
    """Both requests check where they come from."""
    browser = Browser(site, there=THERE)
    elsewhere = {"origin": "https://evil.example"}
    assert browser.there.post("/api/move", headers=elsewhere).status_code == 403
    body = {"token": browser.token()}
    answer = browser.here.post("/api/move/arrive", json=body, headers=elsewhere)
    assert answer.status_code == 403


def test_tokens_are_not_logged(site: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Neither the log nor the headers of responses contain them."""
    caplog.set_level("DEBUG")
    browser = Browser(site, there=THERE)
    token = browser.token()
    answer = browser.arrive(token)
    assert answer.status_code == 200
    assert token.partition(".")[0] not in caplog.text + str(answer.headers)


# Visitors of earlier versions.


@pytest.fixture
def old_site(tmp_path: Path, run: Callable[..., Any]) -> Iterator[Any]:
    """A server with the saved games of version 1.0.0."""
    (tmp_path / "play.sqlite3").write_bytes(OLD.read_bytes())
    with Store(tmp_path) as store, run(store, moves_to_localhost=True) as running:
        yield running


def _old_cookie(session: str) -> str:
    """Return a cookie as version 1.0.0 made it."""
    with closing(sqlite3.connect(OLD)) as db:
        [key] = db.execute("SELECT value FROM meta WHERE name = 'secret'").fetchone()
    return f"{session}.{hmac.new(key, session.encode(), hashlib.sha256).hexdigest()[:32]}"


def test_a_guest_of_version_1_keeps_everything(old_site: Any) -> None:
    """The history, the running game, the daily board and the rating are at localhost."""
    browser = Browser(old_site)
    set_cookie(browser.there, "sapper", _old_cookie(OLD_VISITOR))
    assert browser.move() == OLD_VISITOR
    assert browser.games() == 15
    assert browser.here.get("/api/learn").json()["standing"]["answered"] == 3
    with old_site.player(OLD_VISITOR) as player:
        assert player.welcome["game"]["actions"] == 3
        assert player.welcome["daily"]


def test_the_first_page_at_localhost_finds_the_games_of_version_1(old_site: Any) -> None:
    """The browser is sent through 127.0.0.1 once, even for a printed or bookmarked link."""
    browser = Browser(old_site)
    answer = browser.here.get("/analyze?p=1", headers=_PAGE)
    assert answer.status_code == 302
    assert answer.headers["location"] == f"http://127.0.0.1:{old_site.port}/analyze?p=1"
    # If 127.0.0.1 cannot be reached, the same page opens at the next attempt.
    assert browser.here.get("/analyze", headers=_PAGE).status_code == 200
    again = Browser(old_site)
    again.move()
    assert again.here.get("/", headers=_PAGE).status_code == 200
    for changes in ({"accept": "*/*"}, {"x-forwarded-for": "192.0.2.1"}):
        assert Browser(old_site).here.get("/", headers=_PAGE | changes).status_code == 200


def test_a_new_store_has_nobody_to_find(tmp_path: Path, run: Callable[..., Any]) -> None:
    """New visitors at localhost are not redirected, even after a restart."""
    for _ in range(2):
        with Store(tmp_path) as store, run(store, moves_to_localhost=True) as site:
            assert Browser(site).here.get("/", headers=_PAGE).status_code == 200
            _play(site, HERE, 1)


# Rows.


def test_every_row_of_a_guest_is_joined_or_superseded(any_store: Store) -> None:
    """No row keeps the old identity."""
    with any_store.transaction() as db:
        for player, day in ((HERE, "2026-11-01"), (THERE, "2026-11-02")):
            for each in (day, "2026-11-03"):
                db.execute("INSERT INTO daily_starts VALUES (?, ?, 0)", (player, each))
            db.execute("INSERT INTO lessons_done VALUES (?, ?)", (player, day))
        trainee = (THERE, 1500.0, 90.0, 0.06, 1, 1, 1, 1, None, None, 0, "mixed")
        db.execute(f"INSERT INTO trainees VALUES ({', '.join('?' * 12)})", trainee)
        answer = (THERE, 1, "p", 1, 1500.0, 90.0, 2.0, 0)
        db.execute(f"INSERT INTO puzzle_answers VALUES ({', '.join('?' * 8)})", answer)
    guests = Guests(any_store.database)
    assert guests.join(HERE, THERE) == THERE
    assert guests.has_played(THERE)
    assert not guests.has_played(HERE)
    assert any_store.starts(THERE) == {"2026-11-01", "2026-11-02", "2026-11-03"}


def test_answers_without_their_rating_do_not_mix(any_store: Store) -> None:
    """A guest with a rating keeps it with its own answers."""
    with any_store.transaction() as db:
        for player, answers in ((HERE, 3), (THERE, 1)):
            trainee = (player, 1500.0, 90.0, 0.06, answers, 0, 0, 0, None, None, 0, "mixed")
            db.execute(f"INSERT INTO trainees VALUES ({', '.join('?' * 12)})", trainee)
            for number in range(answers):
                answer = (player, number + (7 if player == THERE else 0), "p", 0, 1.0, 1.0, 1.0, 0)
                db.execute(f"INSERT INTO puzzle_answers VALUES ({', '.join('?' * 8)})", answer)
    guests = Guests(any_store.database)
    assert guests.join(THERE, HERE) == HERE
    with any_store.transaction() as db:
        found = db.execute("SELECT player, number FROM puzzle_answers ORDER BY number").fetchall()
    assert [tuple(row) for row in found] == [(HERE, 0), (HERE, 1), (HERE, 2)]


def test_rows_of_every_table_are_joined(any_store: Store) -> None:
    """The declarations of the tables say which rows a guest has."""
    ann, bob = (Someone(f"{name}_-{name}_-" * 4, name, name, name) for name in ("an", "bo"))
    declared = [
        (table.name, column)
        for table in SCHEMA.tables.values()
        if not table.is_bookkeeping
        for column in table.player
    ]

    def counts(player: str) -> dict[tuple[str, str], int]:
        with any_store.transaction() as db:
            return {
                (table, column): db.execute(
                    f"SELECT count(*) FROM {table} WHERE {column} = ?", (player,)
                ).fetchone()[0]
                for table, column in declared
            }

    with any_store.transaction() as db:
        fill_every_table(db, ann, bob)
        for day in range(1_000):
            db.execute("INSERT INTO daily_starts VALUES (?, ?, 0)", (HERE, f"day {day}"))
    before = counts(ann.session)
    assert all(before.values())
    assert Guests(any_store.database).join(ann.session, HERE) == HERE
    after = counts(HERE)
    after["daily_starts", "session"] -= 1_000
    assert after == before
    assert not any(counts(ann.session).values())
