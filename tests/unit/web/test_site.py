"""The game as a folder of static files."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Final

import pytest

from sapper.errors import BadSetting
from sapper.server.session.game_settings import local_menu
from sapper.translation import LANGUAGES, catalogue
from sapper.web.script_texts import script_texts
from sapper.web.site import write_site

_ADDRESS: Final = re.compile(r'(?:href|src|content)="((?:\.\./|\./)?(?:static|assets)/[^"]+)"')


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder written by the command."""
    made = tmp_path_factory.mktemp("site") / "public"
    write_site(made, local_menu())
    return made


def test_every_address_in_a_page_is_relative_and_exists(folder: Path) -> None:
    """Relative URLs let the folder work below any path of any host."""
    pages = list(folder.rglob("*.html"))
    assert len(pages) == 2 * len(LANGUAGES)
    for page in pages:
        text = page.read_text("utf-8")
        assert re.findall(r'(?:href|src|content)="/[^"]*"', text) == []
        addresses = _ADDRESS.findall(text)
        assert len(addresses) > 5
        for address in addresses:
            assert (page.parent / address).is_file(), (page, address)


def test_parts_are_in_the_folder_of_their_script(folder: Path) -> None:
    """A script loads its parts from addresses relative to its own."""
    [script] = (folder / "assets").glob("index-*.js")
    parts = re.findall(r'later\("\./([^"]+)"', script.read_text("utf-8"))
    assert any(name.startswith("index.play-") for name in parts)
    assert [name for name in parts if not (folder / "assets" / name).is_file()] == []


def test_scripts_ask_no_server(folder: Path) -> None:
    """The modules that would talk to a server have been replaced."""
    for page in ("index", "analyze"):
        [script] = (folder / "assets").glob(f"{page}-*.js")
        text = script.read_text("utf-8")
        assert "new WebSocket" not in text
        assert "/api/analyze" not in text


def test_the_service_worker_keeps_every_file(folder: Path) -> None:
    """Without a network, a missing file would break part of the game, or lock a language."""
    text = (folder / "service-worker.js").read_text("utf-8")
    [listed] = re.findall(r"^const FILES = (\[.*\]);$", text, re.M)
    kept = json.loads(listed)
    own = {"service-worker.js", "sapper-site.json"}
    there = (path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert kept == sorted(set(there) - own)


def test_a_language_has_only_the_texts_of_the_two_pages(folder: Path) -> None:
    """The service worker loads all languages, so texts of pages that are missing would add up."""
    [texts] = (folder / "assets").glob("texts-de-*.js")
    made = json.loads(texts.read_text("utf-8").removeprefix("var sapperTexts = ").rstrip(";"))
    bundles = [*(folder / "assets").glob("index*.js"), *(folder / "assets").glob("analyze*.js")]
    scripts = "".join(path.read_text("utf-8") for path in bundles)
    used = {forms[0] for forms in script_texts(scripts)}
    assert set(made["messages"]) == used & catalogue("de").messages.keys()
    assert len(used) > 300


def test_only_its_own_folder_is_replaced(folder: Path, tmp_path: Path) -> None:
    """A folder with anything else in it might be someone's home."""
    old, other = folder / "assets" / "old.js", folder / "assets" / "other.js"
    old.write_text("")
    other.write_text("")
    outside = folder.parent / "outside.js"
    outside.write_text("")
    mark = folder / "sapper-site.json"
    written = json.loads(mark.read_text("utf-8"))["files"]
    mark.write_text(json.dumps({"files": [*written, "assets/old.js", "../outside.js"]}), "utf-8")
    write_site(folder, local_menu())
    assert not old.exists()
    assert other.exists()
    assert outside.exists()
    assert json.loads(mark.read_text("utf-8"))["files"] == written
    other.unlink()
    (tmp_path / "letter.txt").write_text("")
    with pytest.raises(BadSetting, match="is not empty"):
        write_site(tmp_path, local_menu())
