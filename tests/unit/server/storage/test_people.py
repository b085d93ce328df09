"""People as the operator sees them, and announcements, on each database engine."""

from __future__ import annotations

import pytest

from sapper.errors import BadSetting
from sapper.server.accounts.errors import Banned, NameTaken, NoSuchPerson
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Account, Identity, NewPasskey
from sapper.server.storage.accounts import Accounts
from sapper.server.storage.announcements import MOST, Announcements
from sapper.server.storage.bans import removed_players
from sapper.server.storage.database import Database
from sapper.server.storage.feature_tables import alias_of
from sapper.server.storage.people import People
from sapper.server.storage.store import Change, Store
from support.histories import made_up


class _Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def claimed(accounts: Accounts, name: str, code: str = "") -> Account:
    """Create an account whose player has the same name."""
    passkey = NewPasskey(name.encode(), b"key", 0, ())
    looks = Name(name, frozenset({name.casefold()}))
    codes = [code] if code else []
    return accounts.claim(
        f"id of {name}",
        f"player {name}",
        looks,
        passkey,
        codes,
        f"login {name}",
        "",
        (name, 0),
    )


def test_people_are_found_by_id_and_by_name_in_any_case(database: Database) -> None:
    """People are listed with their games; searching ignores case and character width."""
    accounts, people = Accounts(database), People(database)
    for name in ("Zoë", "Ann", "Straße"):
        claimed(accounts, name)
    Store(database).commit([Change("player Ann", "{}", "{}", 0, (), (made_up(1),))])
    assert [(one.account.name, one.games) for one in people.all()] == [
        ("Ann", 1),
        ("Straße", 0),
        ("Zoë", 0),
    ]
    assert [one.account.name for one in people.all("STRASSE")] == ["Straße"]
    for text in ("ann", " Ann ", "id of Ann", "Ａnn"):
        assert people.find(text).account.name == "Ann"
    for text in ("An", "", "player Ann", "\ud800"):
        with pytest.raises(NoSuchPerson, match="no account has the name or id"):
            people.find(text)


def test_a_ban_refuses_sign_ins_until_it_ends(database: Database) -> None:
    """Logins are kept, so that browsers are signed in again afterwards; codes stay valid."""
    clock = _Clock()
    accounts, people = Accounts(database, clock), People(database, clock)
    account = claimed(accounts, "ann", "c0de")
    until = int(clock.now * 1000) + 60_000
    people.ban(people.find("ann"), "spam", until)
    assert accounts.signed_in("login ann") is None
    ban = accounts.ban_of_login("login ann")
    assert ban is not None
    assert (ban.name, ban.reason, ban.until_ms) == ("ann", "spam", until)
    said = r"banned until 1970-01-12 13:47 UTC \(reason: spam\)"
    with pytest.raises(Banned, match=said):
        accounts.recover(bytes.fromhex("c0de"), "another", "")
    with pytest.raises(Banned, match=said):
        accounts.sign_in(accounts.passkey(b"ann"), 1, "another", "", ("challenge", 2**40))
    clock.now += 61
    assert accounts.ban_of_login("login ann") is None
    found = accounts.signed_in("login ann")
    assert found is not None
    assert accounts.recover(bytes.fromhex("c0de"), "another", "") == account
    people.ban(people.find("ann"), "again", None)
    with pytest.raises(Banned, match=r"this account is banned \(reason: again\)"):
        accounts.sign_in(accounts.passkey(b"ann"), 2, "third", "", ("other", 2**40))
    assert people.unban(people.find("ann"))
    assert not people.unban(people.find("ann"))
    assert accounts.signed_in("login ann") is not None


def test_a_banned_person_is_refused_with_a_provider_too(database: Database) -> None:
    """Single sign-on leads to the same account."""
    accounts, people = Accounts(database), People(database)
    account = claimed(accounts, "ann")
    identity = Identity("https://login.example.org", "1")
    accounts.connect(account.id, identity)
    people.ban(people.find("ann"), "spam", None)
    with pytest.raises(Banned):
        accounts.sign_in_with_identity(identity, "another", "")
    people.unban(people.find("ann"))
    assert accounts.sign_in_with_identity(identity, "another", "") == account


def test_an_operator_renames_without_waiting(database: Database) -> None:
    """The former name is reserved for its owner, who must wait before the next rename."""
    accounts, people = Accounts(database), People(database)
    claimed(accounts, "ann")
    claimed(accounts, "bert")
    for name in ("anna", "hanna"):
        people.rename(people.find("id of ann"), Name(name, frozenset({name})))
    assert people.find("hanna").account.id == "id of ann"
    with pytest.raises(NameTaken):
        people.rename(people.find("bert"), Name("anna", frozenset({"anna"})))


def test_a_deleted_person_leaves_only_a_note_for_servers(database: Database) -> None:
    """The note is removed when another person is deleted a day later."""
    clock = _Clock()
    accounts, people = Accounts(database, clock), People(database, clock)
    claimed(accounts, "ann")
    claimed(accounts, "bert")
    store = Store(database)
    store.commit([Change("player ann", "{}", "{}", 0, (), (made_up(1),))])
    ann = people.find("ann")
    people.ban(ann, "spam", None)
    people.delete(ann)
    assert store.load("player ann") is None
    assert store.history.of("player ann").rows() == []
    with database.reading() as db:
        assert db.execute("SELECT count(*) FROM bans").fetchone()[0] == 0
        assert removed_players(db) == {alias_of("player ann"): int(clock.now * 1000)}
    for act in (people.delete, lambda one: people.ban(one, "x", None)):
        with pytest.raises(NoSuchPerson):
            act(ann)
    clock.now += 86_401
    people.delete(people.find("bert"))
    with database.reading() as db:
        assert set(removed_players(db)) == {alias_of("player bert")}


def test_announcements_end_by_themselves_or_are_withdrawn(database: Database) -> None:
    """An announced restart ends when a server has started; there is a limit on announcements."""
    clock = _Clock()
    announcements = Announcements(database, clock)
    hello = announcements.add("Hello", 60_000)
    clock.now += 1
    restart = announcements.add("", 60_000, event_in_ms=600_000, restart=True)
    assert announcements.active() == [hello, restart]
    clock.now += 61
    assert announcements.active() == [restart]
    announcements.restarted()
    assert announcements.active() == [restart]
    clock.now += 538
    announcements.restarted()
    assert announcements.active() == [restart]
    clock.now += 1
    announcements.restarted()
    assert announcements.active() == []
    made = {announcements.add(str(number), 1000) for number in range(MOST)}
    with pytest.raises(BadSetting, match="there are 5 announcements already"):
        announcements.add("too many", 1000)
    assert announcements.withdraw("missing") == []
    first = made.pop()
    assert announcements.withdraw(first.id) == [first]
    assert set(announcements.withdraw()) == made
