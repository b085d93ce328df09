"""Single sign-on in a browser, with a provider on another site."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

pytest.importorskip("authlib", reason="the extra sso is not installed")

from e2e.axe import expect_accessible, needs_axe
from e2e.running import Server
from sapper.database import postgresql
from sapper.translation import LANGUAGES
from support import openid_provider
from support.openid_provider import CLIENT, SECRET, OpenIdProvider
from support.postgresql import clean_database

Contexts = Callable[..., BrowserContext]

_CUT = Path(__file__).with_name("cut_texts.js").read_text("utf-8")
_MINELESS = "#level=9x9:0&rules=classic&first_click=any&win=open&chord=exact"
_NAME = "Example School"


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenIdProvider]:
    """A provider that asks the person to continue, on a different site from localhost."""
    with openid_provider.running() as made:
        made.asks = True
        yield made


@pytest.fixture(autouse=True)
def _as_before(provider: OpenIdProvider) -> None:
    provider.person = {"sub": "person-1", "preferred_username": "ann@example.org"}
    provider.documents.clear()


@pytest.fixture(
    scope="module", params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)]
)
def site(
    request: pytest.FixtureRequest,
    provider: OpenIdProvider,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Server]:
    """A server that uses the provider, on each database engine in turn."""
    sso = (provider.issuer, CLIENT, SECRET, _NAME)
    env = {"SAPPER_DATABASE": clean_database()} if request.param == "postgresql" else {}
    with Server(tmp_path_factory.mktemp("home"), sso=sso, **env) as running:
        yield running


@pytest.fixture
def account_page(new_context: Contexts, site: Server) -> Callable[..., Page]:
    """Open the Account page in a new browser."""

    def make(**options: Any) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(_local(site, "account"))
        expect(page.locator("#sso")).to_be_visible()
        return page

    return make


def _local(site: Server, path: str) -> str:
    return f"http://localhost:{site.port}/{path}"


def _sign_in(page: Page) -> None:
    page.get_by_role("button", name=f"Sign in with {_NAME}").click()
    page.get_by_role("link", name="Continue").click()


@pytest.mark.slow
def test_a_person_signs_in_chooses_a_name_and_leaves(
    account_page: Callable[..., Page], site: Server, provider: OpenIdProvider
) -> None:
    """A second browser shows the guest's games until the account is deleted."""
    page = account_page(viewport={"width": 390, "height": 844})
    page.goto(_local(site, _MINELESS))
    page.wait_for_selector("#mines[aria-label='Mines left: 0']")
    page.locator(".cell").first.click()
    page.wait_for_selector("body[data-status=won]")
    page.goto(_local(site, "account"))
    _sign_in(page)
    expect(page.locator("#chosen")).to_be_focused()
    assert page.url == _local(site, "account")
    expect(page.locator("#chosen")).to_have_value("ann")
    page.fill("#chosen", "admin")
    page.keyboard.press("Enter")
    expect(page.locator("#said")).to_contain_text("this name is reserved")
    page.fill("#chosen", "Anna")
    page.keyboard.press("Enter")
    expect(page.locator("#own-name")).to_have_text("Anna")
    expect(page.locator("#own-passkeys")).to_be_hidden()
    expect(page.locator("#recovery")).to_be_hidden()
    expect(page.locator("#connect")).to_be_hidden()

    other = account_page()
    _sign_in(other)
    expect(other.locator("#own-name")).to_have_text("Anna")
    expect(other.locator("#sign-out")).to_be_focused()
    expect(other.locator("#sessions li")).to_have_count(2)
    other.goto(_local(site, "history"))
    expect(other.locator("#games tbody tr")).to_have_count(1)
    other.goto(_local(site, "account"))
    other.click("#sign-out")
    expect(other.locator("#sso-sign-in")).to_be_focused()
    page.reload()
    expect(page.locator("#sessions li")).to_have_count(1)
    page.click("#delete")
    page.fill("#confirm-name", "Anna")
    page.keyboard.press("Enter")
    expect(page.locator("#sso-sign-in")).to_be_focused()
    _sign_in(other)
    expect(other.locator("#chosen")).to_be_focused()
    other.click("#stay-guest")
    expect(other.locator("#sso-sign-in")).to_be_focused()


def test_a_failed_sign_in_says_why_and_leaves_the_guest(
    account_page: Callable[..., Page], site: Server, provider: OpenIdProvider
) -> None:
    """The user cancels, the provider fails, or the answer is opened twice or in another browser."""
    page = account_page(locale="de-DE")
    page.get_by_role("button", name=f"Mit {_NAME} anmelden").click()
    provider.person = None
    page.get_by_role("link", name="Continue").click()
    expect(page.locator("#said")).to_contain_text(f"die Anmeldung mit {_NAME} wurde abgebrochen")
    expect(page.locator("#sso")).to_be_visible()

    page = account_page()
    provider.person = {"sub": "person-9"}
    addresses = []
    page.on("framenavigated", lambda frame: addresses.append(frame.url))
    provider.documents["/token"] = (500, {}, b"")
    _sign_in(page)
    expect(page.locator("#said")).to_contain_text(f"{_NAME} is not responding as expected")
    provider.documents.clear()
    [address] = [each for each in addresses if "state=" in each and "/account" in each]
    for browser in (page, account_page()):
        browser.goto(address)
        expect(browser.locator("#said")).to_contain_text("expired or has already been used")
        assert browser.url == _local(site, "account")
    _sign_in(page)
    expect(page.locator("#chosen")).to_be_focused()


@pytest.mark.slow
def test_an_account_without_identity_connects(
    account_page: Callable[..., Page], site: Server, provider: OpenIdProvider
) -> None:
    """The account behaves like one claimed with a passkey; the browser is still signed in."""
    provider.person = {"sub": "person-3", "preferred_username": "Cleo"}
    page = account_page()
    _sign_in(page)
    expect(page.locator("#chosen")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#own-name")).to_have_text("Cleo")
    with closing(_database(site)) as db:
        db.execute("DELETE FROM identities WHERE subject = 'person-3'")
        db.commit()
    page.reload()
    page.get_by_role("button", name=f"Connect with {_NAME}").click()
    page.get_by_role("link", name="Continue").click()
    expect(page.locator("#said")).to_have_text(f"You can now sign in with {_NAME}.")
    expect(page.locator("#connect")).to_be_hidden()
    other = account_page()
    _sign_in(other)
    expect(other.locator("#own-name")).to_have_text("Cleo")


def _database(site: Server) -> Any:
    """Open the database of a server."""
    if "SAPPER_DATABASE" in site.env:
        return postgresql.connect(site.env["SAPPER_DATABASE"])
    return sqlite3.connect(Path(site.home) / "play.sqlite3")


@pytest.mark.slow
def test_the_page_returns_in_the_chosen_language(
    account_page: Callable[..., Page], site: Server
) -> None:
    """The language is kept although the browser returns from another site."""
    page = account_page()
    page.get_by_role("button", name="Settings").click()
    with page.expect_navigation():
        page.select_option("#language", "fr")
    page.get_by_role("button", name=f"Se connecter avec {_NAME}").click()
    page.get_by_role("link", name="Continue").click()
    expect(page.locator("#choose-title")).to_have_text("Choisir un nom")


@needs_axe
@pytest.mark.slow
def test_every_state_is_accessible_and_fits_in_every_language(
    account_page: Callable[..., Page], site: Server, provider: OpenIdProvider
) -> None:
    """The guest view, the choice of a name and the account are checked on a phone."""
    page = account_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    names = [name for name in LANGUAGES if name != "en"]

    def check(languages: Iterable[str], state: str) -> None:
        for language in languages:
            cookie = {"name": "sapper-language", "value": language, "url": _local(site, "")}
            page.context.add_cookies([cookie])
            page.reload()
            expect(page.locator(f"#{state}")).to_be_visible()
            assert page.evaluate(_CUT) == [], language
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, language

    expect_accessible(page)
    check([*names, "en"], "sso")
    _sign_in(page)
    expect(page.locator("#choose")).to_be_visible()
    assert page.evaluate(_CUT) == []
    expect_accessible(page)
    page.fill("#chosen", "Dora")
    page.keyboard.press("Enter")
    expect(page.locator("#member")).to_be_visible()
    expect_accessible(page)
    page.emulate_media(color_scheme="light")
    expect_accessible(page)
    check(names[:2], "member")
