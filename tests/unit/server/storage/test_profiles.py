"""Profiles, follow lists and public games on both databases."""

from __future__ import annotations

import pytest

from sapper.community import Measure
from sapper.community.following import MOST_FOLLOWED
from sapper.errors import BadSetting
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Account, NewPasskey
from sapper.server.storage.accounts import RENAME_DAYS, Accounts
from sapper.server.storage.database import Database
from sapper.server.storage.entries import Entries, forget_erased
from sapper.server.storage.people import People
from sapper.server.storage.profiles import Profiles
from sapper.server.storage.public_games import PublicGames
from sapper.server.storage.store import Store
from support.standings import finish, won_game

_NOW = 1_700_049_600_000
_DAY_S = 86_400


class Clock:
    """A clock in seconds."""

    now = _NOW / 1000

    def __call__(self) -> float:
        return self.now


def name_of(text: str) -> Name:
    """Return a name that looks like no other."""
    return Name(text, frozenset({text.lower()}))


def claim(accounts: Accounts, text: str) -> Account:
    """Give a session a name."""
    passkey = NewPasskey(text.encode(), b"key", 0, ())
    given = f"id of {text}", text.lower(), name_of(text), passkey, [], f"login {text}", ""
    return accounts.claim(*given, (text, 0))


def test_a_former_name_finds_the_profile_while_it_is_reserved(database: Database) -> None:
    """After that, it belongs to nobody; banned players are not found at all."""
    clock = Clock()
    accounts, profiles = Accounts(database, clock), Profiles(database, clock)
    ann = claim(accounts, "Ann")
    accounts.rename(ann, name_of("Anna"))
    for text in ("Ann", "Anna"):
        found = profiles.find(name_of(text))
        assert found is not None
        assert (found.account.name, found.private) == ("Anna", False)
    people = People(database, clock)
    people.ban(people.find(ann.id), "spam", None)
    assert profiles.find(name_of("Anna")) is None
    people.unban(people.find(ann.id))
    clock.now += (RENAME_DAYS + 1) * _DAY_S
    assert profiles.find(name_of("Ann")) is None
    assert profiles.find(name_of("Anna")) is not None


def test_profiles_are_public_until_their_owner_hides_them(database: Database) -> None:
    """The setting can be changed any number of times."""
    accounts, profiles = Accounts(database), Profiles(database)
    claim(accounts, "Ann")
    for private in (True, True, False):
        profiles.set_private("ann", private=private)
        assert profiles.is_private("ann") is private
        assert profiles.names(["ann", "guest"]) == {"ann": ("Ann", private)}
    assert not profiles.is_private("guest")


def test_follow_lists_have_an_order_and_a_limit(database: Database) -> None:
    """Following twice has no effect, and players cannot follow themselves."""
    clock = Clock()
    profiles = Profiles(database, clock)
    for other in ("cleo", "bert", "cleo"):
        profiles.follow("ann", other)
        clock.now += 1
    assert profiles.followed("ann") == ["cleo", "bert"]
    profiles.unfollow("ann", "cleo")
    assert profiles.followed("ann") == ["bert"]
    with pytest.raises(BadSetting, match="yourself"):
        profiles.follow("ann", "ann")
    with database.writing() as db:
        db.executemany(
            "INSERT INTO follows VALUES ('dora', ?, 0)",
            [(f"p{number}",) for number in range(MOST_FOLLOWED)],
        )
    with pytest.raises(BadSetting, match="at most 500"):
        profiles.follow("dora", "ann")


def test_public_games_are_found_by_their_links_only(database: Database) -> None:
    """Both shared games and entries are found, until they are erased or withdrawn."""
    store, public = Store(database), PublicGames(database)
    claim(store.accounts, "Ann")
    record = finish(store, "ann", won_game(), _NOW, 12_000)
    [row] = Entries(database).board("classic beginner", Measure.TIME).rows
    entry = public.find(row.link)
    assert entry is not None
    assert (entry.name, entry.board, entry.shared) == ("Ann", "classic beginner", False)
    shared = public.share("ann", record.key, listed=True)
    assert shared is not None
    assert public.listed("ann") == {record.key: shared.id}
    assert public.share("ann", record.key, listed=False) == shared._replace(listed=False)
    assert public.listed("ann") == {}
    assert public.share("bert", record.key, listed=False) is None
    found = public.find(shared.id)
    assert found is not None
    assert (found.board, found.shared, found.record) == (None, True, record)
    Entries(database).withdraw(row.link, "a bot")
    assert public.find(row.link) is None
    assert public.unshare("ann", record.key)
    assert not public.unshare("ann", record.key)
    assert public.find(shared.id) is None
    again = public.share("ann", record.key, listed=False)
    assert again is not None
    assert again.id != shared.id
    store.history.of("ann").erase()
    assert public.find(again.id) is None
    with database.writing() as db:
        forget_erased(db, "ann")
    assert public.shared("ann", record.key) is None
