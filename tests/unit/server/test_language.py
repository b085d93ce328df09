"""The language of pages, messages and errors: from a cookie or the Accept-Language header."""

from __future__ import annotations

import http.client
import json
import re
from typing import Any

CZECH = {"Accept-Language": "cs-CZ,en;q=0.5"}


def get(site: Any, path: str, **headers: str) -> tuple[http.client.HTTPMessage, str]:
    """Send one request."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=300)
    try:
        connection.request("GET", path, headers=headers)
        response = connection.getresponse()
        return response.headers, response.read().decode()
    finally:
        connection.close()


def test_page_uses_the_accepted_language(site: Any) -> None:
    """The page declares its language and loads its messages before its scripts."""
    headers, page = get(site, "/", **CZECH)
    assert headers["Content-Language"] == "cs"
    assert "cookie" in headers["Vary"]
    assert '<html lang="cs">' in page
    assert "Nová hra" in page
    scripts = re.findall(r'src="/assets/(\w+-\w+)[^"]*\.js"', page)
    assert scripts.index("texts-cs") < len(scripts) - 1
    assert '<html lang="en">' in get(site, "/")[1]


def test_chosen_language_takes_precedence(site: Any) -> None:
    """The language menu sets a cookie, which takes precedence; an invalid cookie is ignored."""
    assert '<html lang="de">' in get(site, "/", Cookie="sapper-language=de", **CZECH)[1]
    assert '<html lang="cs">' in get(site, "/", Cookie="sapper-language=xx", **CZECH)[1]


def test_answers_and_errors_are_translated(site: Any) -> None:
    """JSON answers are in the language of the request."""
    rules = json.loads(get(site, "/api/menu", **CZECH)[1])["rules"]
    assert {"Klasická", "Bez hádání"} <= {each["label"] for each in rules}
    with site.player("a" * 24, **CZECH) as player:
        answer = player.send("again")
    assert answer["error"]["message"] == "stejnou desku lze hrát znovu, až hra skončí"


def test_a_hint_over_the_websocket_is_translated(site: Any) -> None:
    """Workers return hints in the language of the window."""
    with site.player(**CZECH) as player:
        player.send("open", cell=[4, 4])
        hint = player.send("hint")
    assert re.search("min|pol", hint["sentence"])
    assert "mine" not in hint["sentence"]


def test_a_loss_is_explained_to_each_window_in_its_language(site: Any) -> None:
    """Reloading the page in another language translates the explanation as well."""
    session = "b" * 24
    with site.player(session) as player:
        player.send("new", settings={"level": "beginner", "rules": "classic"}, seed=36)
        player.send("open", cell=[4, 4])
        for index in range(81):
            if player.send("open", cell=list(divmod(index, 9)))["status"] == "lost":
                break
        english = player.until("review")["sentence"]
    with site.player(session, **CZECH) as player:
        assert player.until("review")["sentence"] != english


def test_offline_page_declares_its_language(site: Any) -> None:
    """The service worker notices if the cached page is in another language."""
    headers, page = get(site, "/offline", **CZECH)
    assert headers["Content-Language"] == "cs"
    assert '<html lang="cs">' in page
