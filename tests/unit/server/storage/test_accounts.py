"""Stored accounts, in particular everything that depends on the clock."""

from __future__ import annotations

from base64 import urlsafe_b64encode

import pytest

from sapper.server.accounts.errors import (
    BadCode,
    BadPasskey,
    ChallengeRefused,
    CopiedPasskey,
    NameTaken,
    TooSoon,
)
from sapper.server.accounts.names import Name
from sapper.server.accounts.records import Account, NewPasskey
from sapper.server.storage.account_rows import LOGIN_DAYS
from sapper.server.storage.accounts import RENAME_DAYS, Accounts
from sapper.server.storage.database import Database

_DAY_S = 86_400.0


class _Clock:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> _Clock:
    """A clock that tests can set."""
    return _Clock()


@pytest.fixture
def accounts(database: Database, clock: _Clock) -> Accounts:
    """Accounts on each database engine in turn."""
    return Accounts(database, clock)


def _name(text: str) -> Name:
    return Name(text, frozenset({text}))


def _claimed(accounts: Accounts, name: str) -> Account:
    passkey = NewPasskey(name.encode(), b"key", 0, ())
    return accounts.claim(
        f"id of {name}", f"player {name}", _name(name), passkey, [], f"login {name}", "", (name, 0)
    )


def test_a_login_expires_when_it_is_not_used(accounts: Accounts, clock: _Clock) -> None:
    """Each use renews the login."""
    account = _claimed(accounts, "ann")
    for _ in range(3):
        clock.now += (LOGIN_DAYS - 1) * _DAY_S
        found = accounts.signed_in("login ann")
        assert found is not None
        assert found.account == account
    clock.now += (LOGIN_DAYS + 1) * _DAY_S
    assert accounts.signed_in("login ann") is None
    assert accounts.details(account.id).logins == []


def test_a_name_changes_once_in_thirty_days(accounts: Accounts, clock: _Clock) -> None:
    """For thirty days, the previous name is reserved for its owner."""
    ann, bert = _claimed(accounts, "ann"), _claimed(accounts, "bert")
    accounts.rename(ann, _name("anna"))
    clock.now += (RENAME_DAYS - 1) * _DAY_S
    with pytest.raises(TooSoon, match="once every 30 days"):
        accounts.rename(ann, _name("ann"))
    with pytest.raises(NameTaken):
        accounts.rename(bert, _name("ann"))
    with pytest.raises(NameTaken):
        accounts.check_free(_name("bert"), ann.id)
    clock.now += 2 * _DAY_S
    accounts.rename(bert, _name("ann"))
    with pytest.raises(NameTaken):
        accounts.rename(ann, _name("ann"))
    accounts.rename(ann, _name("bea"))
    assert accounts.is_claimed("player ann")
    assert not accounts.is_claimed("player bea")


def test_owner_can_take_back_a_former_name(accounts: Accounts, clock: _Clock) -> None:
    """A former name that its owner takes back is not available to anyone else."""
    ann = _claimed(accounts, "ann")
    accounts.rename(ann, _name("anna"))
    clock.now += RENAME_DAYS * _DAY_S
    accounts.rename(ann, _name("ann"))
    with pytest.raises(NameTaken):
        accounts.check_free(_name("ann"))


def test_a_challenge_is_used_once_while_it_is_valid(accounts: Accounts, clock: _Clock) -> None:
    """Once a challenge has expired, there is no need to remember it."""
    ann = _claimed(accounts, "ann")
    passkey = accounts.passkey(b"ann")
    expires = int(clock.now) + 300
    accounts.sign_in(passkey, 1, "login 2", "", ("one", expires))
    with pytest.raises(ChallengeRefused):
        accounts.sign_in(passkey, 2, "login 3", "", ("one", expires))
    assert len(accounts.details(ann.id).logins) == 2
    assert accounts.passkey(b"ann").key.sign_count == 1


def test_a_recovery_code_is_used_once(accounts: Accounts) -> None:
    """New codes replace the old ones."""
    ann = _claimed(accounts, "ann")
    accounts.replace_codes(ann.id, [b"one".hex(), b"two".hex()])
    assert accounts.recover(b"one", "login 2", "") == ann
    for wrong in (b"one", b"three", None):
        with pytest.raises(BadCode):
            accounts.recover(wrong, "login 3", "")
    assert accounts.details(ann.id).codes == 1
    accounts.replace_codes(ann.id, [b"four".hex()])
    with pytest.raises(BadCode):
        accounts.recover(b"two", "login 3", "")


def test_passkeys_can_be_locked_and_removed(accounts: Accounts) -> None:
    """A locked passkey can be removed; the last one that works cannot."""
    ann = _claimed(accounts, "ann")
    key = NewPasskey(b"second", b"key", 4, ("usb", "nfc"))
    accounts.add_passkey(ann.id, key, "Safari, iOS", ("one", 0))
    stored = accounts.passkey(b"second")
    assert (stored.key, stored.device, stored.account) == (key, "Safari, iOS", ann.id)
    with pytest.raises(CopiedPasskey):
        accounts.sign_in(stored, 4, "login 2", "", ("two", 0))
    accounts.sign_in(stored, 5, "login 2", "", ("two", 0))
    accounts.lock(stored, ("three", 0))
    with pytest.raises(CopiedPasskey):
        accounts.sign_in(stored, 6, "login 3", "", ("four", 0))
    first, second = (_id(each.key.id) for each in accounts.details(ann.id).passkeys)
    with pytest.raises(BadPasskey, match="last passkey"):
        accounts.remove_passkey(ann.id, first)
    accounts.remove_passkey(ann.id, second)
    with pytest.raises(BadPasskey, match="any account"):
        accounts.remove_passkey(ann.id, second)
    with pytest.raises(BadPasskey):
        accounts.passkey(b"second")


def test_logins_can_be_ended_and_accounts_deleted(accounts: Accounts) -> None:
    """Deleting one of two accounts does not affect the other."""
    ann, bert = _claimed(accounts, "ann"), _claimed(accounts, "bert")
    passkey = accounts.passkey(b"ann")
    for number in range(3):
        accounts.sign_in(passkey, number + 1, f"login {number}", "", (f"{number}", 0))
    accounts.end_login(ann.id, "login 0")
    accounts.end_login(bert.id, "login 1")
    assert accounts.signed_in("login 0") is None
    assert accounts.signed_in("login 1") is not None
    accounts.end_other_logins(ann.id, "login 2")
    assert [login.digest for login in accounts.details(ann.id).logins] == ["login 2"]
    accounts.delete(ann)
    assert accounts.signed_in("login 2") is None
    assert accounts.signed_in("login bert") is not None
    assert _claimed(accounts, "ann") == ann


def _id(passkey: bytes) -> str:
    return urlsafe_b64encode(passkey).rstrip(b"=").decode()
