"""Single sign-on over HTTP, with an HTTP provider."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import repeat
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from support.marks import sampled

pytest.importorskip("authlib", reason="the extra sso is not installed")
pytest.importorskip("joserfc", reason="the extra sso is not installed")

from joserfc import jws, jwt
from joserfc.jwk import RSAKey

from sapper.history import Record
from sapper.server import limits
from sapper.server.http import sso as sso_api
from sapper.server.http.visitors import SessionIds
from sapper.server.sso.settings import SsoSettings
from sapper.server.storage.postgresql_database import PostgresqlDatabase
from sapper.server.storage.store import Store
from sapper.simulation import Match
from support import openid_provider
from support.openid_provider import CLIENT, SECRET, OpenIdProvider, public_pem_as_secret, unsigned
from support.postgresql import clean_database
from support.program import sapper

_GAME = json.dumps(Record.of_game(Match("exact", "beginner").game(0), 1).to_json())
_EVIL = "https://evil.example/"

Browsers = Callable[..., httpx.Client]


@pytest.fixture
def store(any_store: Store) -> Store:
    """A store on each database engine in turn."""
    return any_store


@pytest.fixture
def provider() -> Iterator[OpenIdProvider]:
    """A provider."""
    with openid_provider.running() as made:
        yield made


@pytest.fixture
def site(run: Callable[..., Any], store: Store, provider: OpenIdProvider) -> Iterator[Any]:
    """A server that uses the provider."""
    settings = SsoSettings(provider.issuer, CLIENT, SECRET, "Club login")
    with run(store, sso=settings) as made:
        yield made


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


def start(client: httpx.Client, **query: str) -> str:
    """Begin a sign-in, and return the provider's URL."""
    answer = client.post("/api/account/sso/start", params=query, json={})
    assert answer.status_code == 200, answer.text
    return str(answer.json()["address"])


def returned(address: str) -> dict[str, str]:
    """Sign in at the provider, and return what the browser sends back."""
    answer = httpx.get(address, trust_env=False, verify=False, timeout=300)
    assert answer.status_code == 302, answer.text
    return {key: value for key, [value] in parse_qs(query_of(answer)).items()}


def query_of(answer: httpx.Response) -> str:
    """Return the query of the URL to which a response redirects."""
    return urlsplit(answer.headers["location"]).query


def finish(client: httpx.Client, **given: str) -> httpx.Response:
    """Send the provider's answer to the server."""
    return client.post("/api/account/sso/finish", json=given)


def sign_in(client: httpx.Client) -> dict[str, Any]:
    """Sign in, and return the server's answer."""
    answer = finish(client, **returned(start(client)))
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def claim(client: httpx.Client, name: str) -> dict[str, Any]:
    """Sign in for the first time and claim a name."""
    ticket = sign_in(client)["ticket"]
    answer = client.post("/api/account/sso/claim", json={"ticket": ticket, "name": name})
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["account"])


def code_of(answer: httpx.Response) -> tuple[int, str]:
    """Return a refusal's status and code, after checking that its text contains no secret."""
    assert set(answer.json()) == {"error"}
    assert SECRET not in answer.text
    assert "eyJ" not in answer.text
    return answer.status_code, str(answer.json()["error"]["code"])


def test_a_person_chooses_a_name_and_signs_in_elsewhere(
    browser: Browsers, provider: OpenIdProvider, site: Any
) -> None:
    """The guest's games join the account; only the issuer and the subject are stored."""
    provider.person = {
        "sub": "person-1",
        "preferred_username": "ann@example.org",
        "email": "ann@example.org",
    }
    first, second = browser(), browser()
    assert first.post("/api/history/import", content=_GAME).json()["added"] == 1
    guest = first.cookies["sapper"]
    found = sign_in(first)
    assert (found["account"], found["name"]) == (None, "ann")
    assert first.get("/api/account").json()["account"] is None
    body = {"ticket": found["ticket"], "name": "admin"}
    assert code_of(first.post("/api/account/sso/claim", json=body)) == (400, "bad_name")
    body["name"] = "Anna"
    answer = first.post("/api/account/sso/claim", json=body)
    account = answer.json()["account"]
    assert account["name"] == "Anna"
    assert account["identities"] == [{"issuer": provider.issuer, "subject": "person-1"}]
    assert (account["codes"], account["passkeys"]) == (0, [])
    assert all("samesite=strict" in line.lower() for line in answer.headers.get_list("set-cookie"))
    assert first.cookies["sapper"] != guest
    second.get("/")
    account = sign_in(second)["account"]
    assert account["name"] == "Anna"
    assert [one["current"] for one in account["sessions"]].count(True) == 1
    assert second.get("/api/history/games").json()["total"] == 1
    assert "example.org" not in second.get("/api/account").text
    assert second.post("/api/account/sign-out", json={}).status_code == 200
    assert second.get("/api/history/games").json()["total"] == 0
    assert second.get("/api/account").json()["provider"] == "Club login"
    thief = browser(cookie=f"sapper={guest}")
    assert thief.get("/api/history/games").json()["total"] == 0


def test_deleting_forgets_the_person(browser: Browsers, store: Store) -> None:
    """The next sign-in asks for a name again, and the old name is free."""
    client = browser()
    claim(client, "Anna")
    assert client.post("/api/account/delete", json={"name": "Anna"}).status_code == 200
    with store.transaction() as db:
        for table in ("accounts", "account_names", "identities", "logins"):
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    assert claim(client, "Anna")["name"] == "Anna"


def test_passkeys_and_codes_are_refused(browser: Browsers) -> None:
    """Guests and accounts get a message that names the provider."""
    client = browser()
    paths = ("claim/options", "claim", "sign-in/options", "sign-in", "recover", "codes")
    for path in (*paths, "passkeys/options", "passkeys"):
        answer = client.post(f"/api/account/{path}", json={})
        assert code_of(answer) == (400, "no_passkeys")
        assert "Club login" in answer.text


def test_an_account_with_a_passkey_connects(
    browser: Browsers, site: Any, store: Store, provider: OpenIdProvider
) -> None:
    """The browser must be signed in; each person and each account can connect only once."""
    client, other = browser(), browser()
    claim(client, "Anna")
    with store.transaction() as db:
        db.execute("DELETE FROM identities")
    before = client.get("/api/account").json()["account"]
    assert before["identities"] == []
    assert len(sign_in(client)["account"]["identities"]) == 1
    assert sign_in(other)["account"]["name"] == "Anna"
    again = client.post("/api/account/sso/start", json={})
    assert code_of(again) == (400, "bad_message")
    provider.person = {"sub": "person-2"}
    third = browser()
    address = start(third)
    claim(third, "Bert")
    # The browser has since signed in, but the state belongs to the guest.
    assert code_of(finish(third, **returned(address))) == (403, "bad_challenge")


def test_a_state_is_good_once_and_for_its_visitor(
    browser: Browsers, provider: OpenIdProvider, site: Any, store: Store
) -> None:
    """Wrong, foreign, replayed or expired states are refused before a code is exchanged."""
    client, thief = browser(), browser()
    thief.get("/")
    good = returned(start(client))
    forged = SessionIds(store.secret()).sign("a" * 24)
    for state in ("", "x", "é", good["state"][:-2], good["state"][:-8] + "AAAAAAAA", forged):
        assert code_of(finish(client, **good | {"state": state})) == (403, "bad_challenge")
    assert code_of(finish(thief, **good)) == (403, "bad_challenge")
    assert code_of(finish(browser(), **good)) == (403, "bad_challenge")
    assert provider.requests["/token"] == 0
    assert "ticket" in finish(client, **good).json()
    assert code_of(finish(client, **good)) == (403, "bad_challenge")
    assert provider.requests["/token"] == 1
    other = returned(start(client))
    # The code belongs to another sign-in, but PKCE and the nonce belong to the state.
    mixed = returned(start(client)) | {"state": other["state"]}
    assert code_of(finish(client, **mixed)) == (403, "sign_in_refused")


def test_a_code_is_good_once(browser: Browsers) -> None:
    """The provider refuses a replayed code, even with a new state."""
    client = browser()
    first = returned(start(client))
    assert finish(client, **first).status_code == 200
    second = returned(start(client)) | {"code": first["code"]}
    assert code_of(finish(client, **second)) == (403, "sign_in_refused")


def test_an_expired_state_is_refused(browser: Browsers, monkeypatch: pytest.MonkeyPatch) -> None:
    """An expired ticket for choosing a name is refused as well."""
    client = browser()
    ticket = sign_in(client)["ticket"]
    monkeypatch.setattr(sso_api, "LIFETIME_S", -1)
    late = returned(start(client))
    assert code_of(finish(client, **late)) == (403, "bad_challenge")
    monkeypatch.setattr(sso_api, "LIFETIME_S", 900)
    good = returned(start(client))
    monkeypatch.setattr(sso_api, "LIFETIME_S", -1)
    late_ticket = finish(client, **good).json()["ticket"]
    body = {"ticket": late_ticket, "name": "Anna"}
    assert code_of(client.post("/api/account/sso/claim", json=body)) == (403, "bad_challenge")
    body["ticket"] = ticket
    assert client.post("/api/account/sso/claim", json=body).status_code == 200


def test_a_ticket_is_good_once_and_for_its_visitor_and_person(
    browser: Browsers, provider: OpenIdProvider
) -> None:
    """A second claim by the same person is refused as well."""
    client, other, thief = browser(), browser(), browser()
    thief.get("/")
    tickets = [sign_in(each)["ticket"] for each in (client, other)]
    mine = tickets[0]
    challenge, _, subject = mine.partition(".")
    for ticket in (
        *("", ".", "x.y", "é", challenge, f"{challenge}.", f"{challenge}.cGVyc29uLTI"),
        f".{subject}",
        f"{challenge[:-4]}AAAA.{subject}",
    ):
        body = {"ticket": ticket, "name": "Anna"}
        assert code_of(client.post("/api/account/sso/claim", json=body)) == (403, "bad_challenge")
    body = {"ticket": mine, "name": "Anna"}
    assert code_of(thief.post("/api/account/sso/claim", json=body)) == (403, "bad_challenge")
    assert client.post("/api/account/sso/claim", json=body).status_code == 200
    client.post("/api/account/sign-out", json={})
    assert code_of(client.post("/api/account/sso/claim", json=body)) == (403, "bad_challenge")
    body = {"ticket": tickets[1], "name": "Bert"}
    assert code_of(other.post("/api/account/sso/claim", json=body)) == (403, "bad_challenge")
    assert sign_in(other)["account"]["name"] == "Anna"


def test_a_taken_name_leaves_the_ticket_valid(browser: Browsers, provider: OpenIdProvider) -> None:
    """The person can choose another name with the same ticket."""
    claim(browser(), "Anna")
    provider.person = {"sub": "person-2", "preferred_username": "!", "name": "Bert B"}
    client = browser()
    found = sign_in(client)
    assert found["name"] == "Bert B"
    body = {"ticket": found["ticket"], "name": "ANNA"}
    assert code_of(client.post("/api/account/sso/claim", json=body)) == (409, "name_taken")
    body["name"] = "Bert"
    assert client.post("/api/account/sso/claim", json=body).status_code == 200


def _expired(header: dict[str, Any], claims: dict[str, Any]) -> None:
    claims["exp"] = claims["iat"] - 100


def _set(**values: Any) -> openid_provider.Change:
    def change(header: dict[str, Any], claims: dict[str, Any]) -> None:
        claims.update(values)

    return change


def _without(name: str) -> openid_provider.Change:
    def change(header: dict[str, Any], claims: dict[str, Any]) -> None:
        del claims[name]

    return change


def _signed_by_a_stranger(header: dict[str, Any], claims: dict[str, Any]) -> str:
    return jwt.encode(header, claims, RSAKey.generate_key(2048), ["RS256"])


def _unknown_key(header: dict[str, Any], claims: dict[str, Any]) -> None:
    header["kid"] = "another"


def _critical(header: dict[str, Any], claims: dict[str, Any]) -> None:
    header["crit"] = ["unknown"]
    header["unknown"] = True


@pytest.mark.parametrize(
    "change",
    sampled(
        [
            pytest.param(_expired, id="expired"),
            pytest.param(_set(iat=2**40), id="from the future"),
            pytest.param(_set(nbf=2**40), id="not valid yet"),
            pytest.param(_set(exp="tomorrow"), id="expiry is a text"),
            pytest.param(_set(aud="another client"), id="wrong audience"),
            pytest.param(_set(aud=["another client"]), id="wrong audiences"),
            pytest.param(_set(aud=[CLIENT, "b"], azp="b"), id="issued to another client"),
            pytest.param(_set(iss="https://evil.example"), id="wrong issuer"),
            pytest.param(_set(nonce="another"), id="wrong nonce"),
            pytest.param(_set(at_hash="another"), id="another access token"),
            *(
                pytest.param(_without(claim), id=f"without {claim}")
                for claim in ("exp", "iat", "aud", "iss", "sub", "nonce")
            ),
            *(
                pytest.param(_set(sub=sub), id=f"subject {sub!r:.9}")
                for sub in ("", 5, [], "x" * 256, "a\0b")
            ),
            pytest.param(unsigned, id="alg none"),
            pytest.param(_signed_by_a_stranger, id="another key with the same id"),
            pytest.param(_unknown_key, id="unknown key id"),
            pytest.param(lambda *_: "x.y.z", id="rubbish"),
            pytest.param(lambda *_: "", id="empty"),
        ],
        3,
    ),
)
@pytest.mark.family
def test_a_bad_token_is_refused(
    browser: Browsers,
    provider: OpenIdProvider,
    change: openid_provider.Change,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nobody is signed in, and the log gives the reason, but not the token."""
    provider.change = change
    client = browser()
    answer = finish(client, **returned(start(client)))
    assert code_of(answer) == (503, "provider_failed")
    assert client.get("/api/account").json()["account"] is None
    assert "single sign-on: the id token" in caplog.text
    assert "eyJ" not in caplog.text
    provider.change = None
    assert "ticket" in sign_in(client)


def test_texts_that_cannot_be_encoded_are_refused_or_ignored(
    browser: Browsers, provider: OpenIdProvider
) -> None:
    """JSON allows escapes that do not stand for characters."""

    def change(header: dict[str, Any], claims: dict[str, Any]) -> str:
        payload = json.dumps(claims | odd).encode()
        return jws.serialize_compact(header, payload, provider.signing_key)

    provider.change = change
    client = browser()
    odd = {"sub": "\ud800"}
    assert code_of(finish(client, **returned(start(client)))) == (503, "provider_failed")
    odd = {"preferred_username": "\ud800", "name": "\ud800@x", "nickname": 5, "\ud800": 1}
    assert sign_in(client)["name"] == ""


def test_public_key_is_not_accepted_as_shared_secret(
    browser: Browsers, provider: OpenIdProvider
) -> None:
    """A token with HS256 is refused, whatever key signed it."""
    provider.change = lambda header, claims: public_pem_as_secret(
        provider.signing_key, header, claims
    )
    client = browser()
    assert code_of(finish(client, **returned(start(client)))) == (503, "provider_failed")


def test_new_keys_are_fetched_when_they_are_needed(
    browser: Browsers, provider: OpenIdProvider
) -> None:
    """Documents are fetched once; keys are fetched again if a key id is unknown."""
    client = browser()
    for _ in range(3):
        sign_in(client)
    assert provider.requests["/keys"] == 1
    provider.rotate("EC")
    for _ in range(3):
        sign_in(client)
    assert provider.requests["/keys"] == 2
    assert provider.requests["/.well-known/openid-configuration"] == 1


def test_errors_of_the_provider_are_shown(
    browser: Browsers, provider: OpenIdProvider, caplog: pytest.LogCaptureFixture
) -> None:
    """The page describes errors in its own words, in the visitor's language."""
    client = browser()
    client.cookies.set("sapper-language", "de")
    provider.person = None
    back = returned(start(client))
    assert back["error"] == "access_denied"
    answer = finish(client, state=back["state"], error=back["error"])
    assert code_of(answer) == (403, "sign_in_refused")
    assert "Club login" in answer.text
    assert "was cancelled" not in answer.text
    assert code_of(finish(client, state=back["state"], error="x")) == (403, "bad_challenge")
    back = returned(start(client))
    odd = finish(client, state=back["state"], error="<script>")
    assert code_of(odd) == (403, "sign_in_refused")
    assert "script" not in odd.text + caplog.text


def test_another_issuer_in_the_address_is_refused(browser: Browsers) -> None:
    """A missing issuer is refused too, because this provider always sends it."""
    client = browser()
    assert code_of(finish(client, **returned(start(client)) | {"iss": _EVIL})) == (
        503,
        "provider_failed",
    )
    back = returned(start(client))
    del back["iss"]
    assert code_of(finish(client, **back)) == (503, "provider_failed")


def test_browsers_are_sent_only_to_the_account_page(
    browser: Browsers, site: Any, provider: OpenIdProvider
) -> None:
    """The request cannot change the target, and foreign hosts and pages cannot begin a sign-in."""
    client = browser()
    for name in ("next", "redirect_uri", "return_to"):
        query = parse_qs(urlsplit(start(client, **{name: _EVIL})).query)
        assert query["redirect_uri"] == [f"http://localhost:{site.port}/account"]
        assert query["code_challenge_method"] == ["S256"]
        assert _EVIL not in str(query)
    path = "/api/account/sso/start"
    for headers in ({"host": "evil.example"}, {"origin": _EVIL}):
        assert code_of(client.post(path, json={}, headers=headers)) == (403, "forbidden")
    assert code_of(
        httpx.post(site.url + path, json={}, trust_env=False, verify=False, timeout=300)
    ) == (
        400,
        "no_passkeys",
    )
    # The provider refuses a browser that returns to a foreign URL.
    moved = start(client).replace("localhost", "evil.example")
    assert httpx.get(moved, trust_env=False, verify=False, timeout=300).status_code == 400


_CONFIGURATION = "/.well-known/openid-configuration"


@pytest.mark.parametrize("path", [_CONFIGURATION, "/keys", "/token"])
@pytest.mark.parametrize(
    "answer",
    sampled(
        [
            pytest.param((500, {}, b"{}"), id="status 500"),
            pytest.param((200, {}, b"<html>"), id="HTML"),
            pytest.param((200, {}, b"[]"), id="a list"),
            pytest.param((200, {}, b"{}"), id="empty"),
            pytest.param((200, {}, b"[" * 100_000), id="nested"),
            pytest.param((302, {"location": _EVIL}, b"{}"), id="redirect"),
            pytest.param(
                (200, {"content-encoding": "gzip"}, gzip.compress(b"{}")), id="compressed"
            ),
            pytest.param((200, {}, repeat(b" " * 2**20)), id="endless"),
        ],
        3,
    ),
)
@pytest.mark.family
def test_invalid_provider_responses_are_clear_errors(
    browser: Browsers, provider: OpenIdProvider, path: str, answer: Any
) -> None:
    """Each of the provider's URLs returns garbage once; the next sign-in works again."""
    client = browser()
    provider.documents[path] = answer
    if path == _CONFIGURATION:
        failed = client.post("/api/account/sso/start", json={})
    else:
        failed = finish(client, **returned(start(client)))
    assert code_of(failed) == (503, "provider_failed")
    assert "Club login is not responding as expected" in failed.json()["error"]["message"]
    provider.documents.clear()
    assert "ticket" in sign_in(client)


@pytest.mark.parametrize(
    "wrong",
    [
        {"issuer": "https://evil.example"},
        {"authorization_endpoint": "javascript:alert(1)"},
        {"authorization_endpoint": "http://provider.example/authorize"},
        {"token_endpoint": "http://provider.example/token"},
        {"token_endpoint": None},
        {"jwks_uri": "file:///etc/passwd"},
        {"jwks_uri": ["https://provider.example"]},
    ],
)
@pytest.mark.family
def test_a_discovery_document_must_be_the_issuers_and_safe(
    browser: Browsers, provider: OpenIdProvider, wrong: dict[str, Any]
) -> None:
    """All URLs in the document must use HTTPS, except those on this machine."""
    document = json.dumps(provider.configuration() | wrong).encode()
    provider.documents[_CONFIGURATION] = (200, {}, document)
    client = browser()
    failed = client.post("/api/account/sso/start", json={})
    assert code_of(failed) == (503, "provider_failed")


@pytest.mark.parametrize("path", [_CONFIGURATION, "/keys", "/token"])
def test_a_provider_that_never_answers_is_given_up(
    browser: Browsers, provider: OpenIdProvider, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sign-in fails after the time limit, while games continue."""
    client = browser()
    back = returned(start(client)) if path != _CONFIGURATION else {}
    provider.silent.add(path)
    monkeypatch.setattr(limits, "PROVIDER_TIMEOUT_S", 0.2)
    if path == _CONFIGURATION:
        failed = client.post("/api/account/sso/start", json={})
    else:
        failed = finish(client, **back)
    assert code_of(failed) == (503, "provider_failed")


def test_operators_see_and_ban_a_person(
    run: Callable[..., Any],
    provider: OpenIdProvider,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A banned person can neither sign in nor choose another name in the same browser."""
    monkeypatch.setenv("SAPPER_HOME", str(tmp_path))
    settings = SsoSettings(provider.issuer, CLIENT, SECRET, "Club login")
    with Store(tmp_path) as store, run(store, sso=settings) as site, ExitStack() as stack:
        client, other = (
            stack.enter_context(
                httpx.Client(
                    base_url=f"http://localhost:{site.port}",
                    trust_env=False,
                    verify=False,
                    timeout=300,
                )
            )
            for _ in range(2)
        )
        claim(client, "Anna")
        shown = sapper("admin", "people", "show", "Anna")
        assert f"person-1 at {provider.issuer}" in shown.out
        assert sapper("admin", "people", "ban", "Anna", "--reason", "Spam").code == 0
        assert code_of(finish(other, **returned(start(other))))[1] == "banned"
        provider.person = {"sub": "person-2"}
        ticket = sign_in(client)["ticket"]
        body = {"ticket": ticket, "name": "Bert"}
        assert code_of(client.post("/api/account/sso/claim", json=body))[1] == "banned"


@pytest.mark.slow
def test_another_worker_finishes_a_sign_in(
    run: Callable[..., Any], provider: OpenIdProvider
) -> None:
    """No process holds the state of a sign-in, but it can be used only once in all processes."""
    settings, address = SsoSettings(provider.issuer, CLIENT, SECRET, "Club login"), clean_database()
    with ExitStack() as stack:
        clients = []
        for name in ("a", "b"):
            database = PostgresqlDatabase(address, shared=True)
            store = stack.enter_context(Store(database, worker=name))
            made = stack.enter_context(run(store, sso=settings))
            clients.append(f"http://localhost:{made.port}")
        one, other = clients
        browser = stack.enter_context(
            httpx.Client(headers={"host": "localhost"}, trust_env=False, verify=False, timeout=300)
        )
        begun = browser.post(f"{one}/api/account/sso/start", json={}).json()["address"]
        back = returned(begun)
        ticket = browser.post(f"{other}/api/account/sso/finish", json=back).json()["ticket"]
        again = browser.post(f"{one}/api/account/sso/finish", json=back)
        assert code_of(again) == (403, "bad_challenge")
        body = {"ticket": ticket, "name": "Anna"}
        answer = browser.post(f"{one}/api/account/sso/claim", json=body)
        assert answer.status_code == 200, answer.text
        assert browser.get(f"{other}/api/account").json()["account"]["name"] == "Anna"


def test_the_secret_is_in_the_body_if_the_provider_wants_it_there(
    browser: Browsers, provider: OpenIdProvider
) -> None:
    """By default, the secret is sent in a header."""
    document = provider.configuration()
    document["token_endpoint_auth_methods_supported"] = ["client_secret_post"]
    provider.documents[_CONFIGURATION] = (200, {}, json.dumps(document).encode())
    assert "ticket" in sign_in(browser())


def test_a_wrong_secret_is_reported_to_the_operator(
    run: Callable[..., Any],
    store: Store,
    provider: OpenIdProvider,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The log reports it without the secret; players see that the provider does not work."""
    settings = SsoSettings(provider.issuer, CLIENT, "wr0ng", "Club login")
    assert "wr0ng" not in repr(settings)
    caplog.set_level(logging.DEBUG)
    with (
        run(store, sso=settings) as site,
        httpx.Client(
            base_url=f"http://localhost:{site.port}", trust_env=False, verify=False, timeout=300
        ) as client,
    ):
        failed = finish(client, **returned(start(client)))
    assert code_of(failed) == (503, "provider_failed")
    assert "invalid_client" in caplog.text
    assert "wr0ng" not in caplog.text
