"""Accounts in a browser with virtual authenticators: claiming, signing in, recovery, deletion."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, CDPSession, Page, expect

from e2e.axe import expect_accessible, needs_axe
from e2e.running import Server
from sapper.translation import LANGUAGES
from support.program import sapper

pytest.importorskip("webauthn", reason="the extra accounts is not installed")

Contexts = Callable[..., BrowserContext]

_CUT = Path(__file__).with_name("cut_texts.js").read_text("utf-8")
_MINELESS = "#level=9x9:0&rules=classic&first_click=any&win=open&chord=exact"


class Authenticator:
    """A page's virtual authenticator, which confirms every request immediately."""

    def __init__(self, page: Page) -> None:
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._cdp.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
        }
        added = self._cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._id = added["authenticatorId"]

    def credential(self) -> dict[str, Any]:
        """Return the authenticator's only passkey, including its private key and counter."""
        found = self._cdp.send("WebAuthn.getCredentials", {"authenticatorId": self._id})
        [credential] = found["credentials"]
        return dict(credential)

    def add(self, credential: dict[str, Any]) -> None:
        """Add a copy of a passkey."""
        given = {"authenticatorId": self._id, "credential": credential}
        self._cdp.send("WebAuthn.addCredential", given)


@pytest.fixture
def account_page(new_context: Contexts, server: Server) -> Callable[..., Page]:
    """Open the Account page in a new browser with an authenticator."""

    def make(**options: Any) -> Page:
        page = new_context(**options).new_page()
        page.on("pageerror", lambda error: pytest.fail(f"error on the page: {error}"))
        page.goto(_local(server, "account"))
        expect(page.locator("#guest")).to_be_visible()
        return page

    return make


def _local(server: Server, path: str) -> str:
    # Passkeys need a host name.
    return f"http://localhost:{server.port}/{path}"


def _claim(page: Page, name: str) -> list[str]:
    """Claim a name; return the recovery codes."""
    page.fill("#name", name)
    page.keyboard.press("Enter")
    expect(page.locator("#codes-title")).to_be_focused()
    codes = page.locator("#code-list li").all_text_contents()
    page.click("#codes-done")
    expect(page.locator("#own-name")).to_have_text(name)
    return codes


def _sign_in(page: Page) -> None:
    page.click("#sign-in")
    expect(page.locator("#said")).not_to_be_empty()


def test_a_guest_claims_a_name_and_another_browser_shows_the_games(
    account_page: Callable[..., Page], server: Server
) -> None:
    """A phone signs in by keyboard with the same passkey, as if it were synced."""
    page = account_page(viewport={"width": 390, "height": 844})
    authenticator = Authenticator(page)
    page.goto(_local(server, _MINELESS))
    page.wait_for_selector("#mines[aria-label='Mines left: 0']")
    page.locator(".cell").first.click()
    page.wait_for_selector("body[data-status=won]")
    page.goto(_local(server, "account"))
    codes = _claim(page, "Ann")
    assert len(set(codes)) == 8
    page.reload()
    expect(page.locator("#sessions li")).to_contain_text("This browser")

    other = account_page()
    known = Authenticator(other)
    known.add(authenticator.credential())
    _sign_in(other)
    expect(other.locator("#own-name")).to_have_text("Ann")
    expect(other.locator("#sessions li")).to_have_count(2)
    other.goto(_local(server, "history"))
    expect(other.locator("#games tbody tr")).to_have_count(1)

    # The second browser signs out the first one, which becomes a new guest.
    other.goto(_local(server, "account"))
    other.click("#end-others")
    expect(other.locator("#sessions li")).to_have_count(1)
    page.reload()
    expect(page.locator("#said")).to_have_text("This browser was signed out.")
    page.goto(_local(server, "history"))
    expect(page.locator("#empty")).to_be_visible()


@pytest.mark.slow
def test_a_lost_device_a_copied_passkey_and_the_end(
    account_page: Callable[..., Page], server: Server, tmp_path: Path
) -> None:
    """Codes work once, passkeys with an older counter are refused, and deletion leaves no trace."""
    page = account_page()
    authenticator = Authenticator(page)
    codes = _claim(page, "Bert")
    old = authenticator.credential()
    for _ in range(2):
        page.click("#sign-out")
        expect(page.locator("#guest")).to_be_visible()
        _sign_in(page)
        expect(page.locator("#member")).to_be_visible()

    thief = account_page()
    Authenticator(thief).add(old | {"signCount": 0})
    _sign_in(thief)
    expect(thief.locator("#said")).to_contain_text("a copy of it may exist")
    page.reload()
    expect(page.locator("#passkeys .locked")).to_be_visible()

    lost = account_page()
    Authenticator(lost)
    lost.click("#lost summary")
    for code in (codes[0].lower().replace("-", " "), codes[0]):
        lost.fill("#code", code)
        lost.keyboard.press("Enter")
        expect(lost.locator("#said")).not_to_be_empty()
        if code == codes[0]:
            expect(lost.locator("#said")).to_contain_text("wrong or has already been used")
            break
        lost.click("#add-passkey")
        expect(lost.locator("#passkeys li")).to_have_count(2)
        lost.locator("#passkeys li", has=lost.locator(".locked")).get_by_role("button").click()
        expect(lost.locator("#passkeys li")).to_have_count(1)
        expect(lost.locator("#codes-left")).to_contain_text("7")
        lost.click("#sign-out")
        lost.click("#lost summary", trial=True)

    _sign_in(lost)
    with lost.expect_download() as download:
        lost.click("#export")
    with zipfile.ZipFile(download.value.path()) as archive:
        assert json.loads(archive.read("account.json"))["name"] == "Bert"
    lost.click("#delete")
    lost.fill("#confirm-name", "Bert")
    lost.keyboard.press("Enter")
    expect(lost.locator("#name")).to_be_focused()
    page.reload()
    expect(page.locator("#guest")).to_be_visible()
    _claim(page, "Bert")


@pytest.mark.slow
def test_a_response_is_good_once_and_only_for_its_own_page(
    account_page: Callable[..., Page], server: Server
) -> None:
    """Replayed challenges and responses from a page at another port are refused."""
    page = account_page()
    Authenticator(page)
    _claim(page, "Cleo")
    page.click("#sign-out")
    with page.expect_request("**/api/account/sign-in") as sent:
        _sign_in(page)
    expect(page.locator("#member")).to_be_visible()
    page.click("#sign-out")
    expect(page.locator("#guest")).to_be_visible()
    again = page.request.post(sent.value.url, data=sent.value.post_data or "")
    assert (again.status, again.json()["error"]["code"]) == (403, "bad_challenge")

    # The page's scripts, served from another port of this machine.
    elsewhere = "http://localhost:1/"
    page.route(
        f"{elsewhere}**",
        lambda route: route.fulfill(
            response=page.request.fetch(
                route.request.url.replace(elsewhere, _local(server, "")),
                method=route.request.method,
                data=route.request.post_data,
            )
        ),
    )
    page.goto(f"{elsewhere}account")
    expect(page.locator("#guest")).to_be_visible()
    page.click("#sign-in")
    expect(page.locator("#said")).to_contain_text("the passkey could not be verified")


@pytest.mark.slow
@needs_axe
def test_every_state_is_accessible_and_fits_in_every_language(
    account_page: Callable[..., Page], server: Server
) -> None:
    """The guest view, new codes and the open deletion form are checked on a phone."""
    page = account_page(viewport={"width": 390, "height": 844}, color_scheme="dark")
    Authenticator(page)
    names = [name for name in LANGUAGES if name != "en"]

    def check(languages: Iterable[str], state: str) -> None:
        for language in languages:
            cookie = {"name": "sapper-language", "value": language, "url": _local(server, "")}
            page.context.add_cookies([cookie])
            page.reload()
            expect(page.locator(f"#{state}")).to_be_visible()
            if state == "member":
                page.click("#delete")
            assert page.evaluate(_CUT) == [], language
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, language

    page.click("#lost summary")
    expect_accessible(page)
    check(names[:2], "guest")
    page.fill("#name", "Dora")
    page.keyboard.press("Enter")
    expect(page.locator("#codes")).to_be_visible()
    assert page.evaluate(_CUT) == []
    page.click("#delete")
    expect_accessible(page)
    page.emulate_media(color_scheme="light")
    expect_accessible(page)
    check(names, "member")


def test_the_page_at_an_address_opens_where_passkeys_work(
    new_context: Contexts, server: Server
) -> None:
    """Browsers do not support passkeys at 127.0.0.1, so the page moves to localhost."""
    page = new_context().new_page()
    page.goto(f"http://127.0.0.1:{server.port}/account")
    expect(page.locator("#guest")).to_be_visible()
    assert page.url == _local(server, "account")


@needs_axe
@pytest.mark.slow
def test_a_banned_player_sees_the_reason_and_plays_as_a_guest(
    account_page: Callable[..., Page], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The open window reconnects as a guest, and the Account page does not offer a new name."""
    monkeypatch.setenv("SAPPER_HOME", server.home)
    page = account_page(viewport={"width": 390, "height": 844})
    Authenticator(page)
    _claim(page, "Hugo")
    window = page.context.new_page()
    window.goto(f"http://localhost:{server.port}/")
    window.wait_for_selector("body[data-status]")
    ban = ["--reason", "Insults in the name", "--until", "7d"]
    assert sapper("admin", "people", "ban", "Hugo", *ban).code == 0
    shown = window.locator(".announcements > div")
    expect(shown).to_contain_text("The account Hugo is banned until ")
    expect(shown).to_contain_text("Reason: Insults in the name")
    page.reload()
    expect(page.locator("#banned-text")).to_contain_text("Reason: Insults in the name")
    expect(page.locator("#claim-section")).to_be_hidden()
    expect(page.locator("#sign-in")).to_be_visible()
    expect_accessible(page)
    page.click("#sign-in")
    expect(page.locator("#said")).to_contain_text("this account is banned until")
    assert page.evaluate(_CUT) == []
    assert sapper("admin", "people", "unban", "hugo").code == 0
    page.reload()
    expect(page.locator("#own-name")).to_have_text("Hugo")
    expect(page.locator("#banned")).to_be_hidden()
