"""A page's modules are joined into one script, plus one for each part that is loaded later."""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from sapper.web.modules import join_modules
from support.not_installed import not_installed


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write modules, given their names and texts; return the path of ``main.js``."""

    def made(**modules: str) -> Path:
        for name, text in modules.items():
            (tmp_path / f"{name}.js").write_text(text)
        return tmp_path / "main.js"

    return made


def joined(entry: Path) -> tuple[str, dict[str, str]]:
    """Return the script of a page, and its parts by name."""
    parts: dict[str, str] = {}

    def add_part(name: str, script: str) -> str:
        parts[name] = script
        return f"./{name}-{hashlib.sha256(script.encode()).hexdigest()[:8]}.js"

    return join_modules(entry, add_part), parts


def run(entry: Path, *, missing: tuple[str, ...] = ()) -> list[str]:
    """Run a page's scripts in Node, without the `missing` parts; return the printed words."""
    node = shutil.which("node")
    if node is None:
        pytest.skip(not_installed("node"))
    out = entry.parent / "out"
    out.mkdir()
    (out / "package.json").write_text('{ "type": "module" }')

    def add_part(name: str, script: str) -> str:
        (out / f"{name}.js").write_text(script)
        return f"./{name}.js"

    (out / "main.js").write_text(join_modules(entry, add_part))
    for name in missing:
        (out / f"{name}.js").rename(out / f"{name}.away")
    command = [node, str(out / "main.js")]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_joined_modules_behave_the_same(write: Callable[..., Path]) -> None:
    """Names used in two modules do not collide, and each module runs once."""
    main = write(
        main='import { two as other } from "./two.js";\n'
        'import {\n  ONE, double,\n} from "./one.js";\n'
        "/** A comment. */\nconst hidden = double(ONE);\nconsole.log(hidden, other());\n",
        one="// A name of main.js too.\nconst hidden = 2;\nexport const ONE = 1;\n"
        "/**\n * Twice.\n */\nexport function double(n) {\n  return hidden * n;\n}\n",
        two='import { ONE } from "./one.js";\nexport const two = () => ONE + 1;\n',
    )
    text, parts = joined(main)
    assert parts == {}
    assert text.count("const ONE = 1;") == 1
    assert "//" not in text
    assert "Twice" not in text
    assert run(main) == ["2", "2"]


def test_type_comments_are_omitted(write: Callable[..., Path]) -> None:
    """Type comments are removed completely, and the types in them are not imported."""
    main = write(
        main='const a = /** @type {import("./types.js").A} */ (["/*", 1]);\n'
        "const b = (/** @type {number} */ c, /** @type {{\n  d: string,\n}} */ d) => [c, d];\n"
        'console.log(a[0], b(2, "e")[1]);\n'
    )
    text, _ = joined(main)
    assert "@type" not in text
    assert text.splitlines()[1:3] == [
        'const a = (["/*", 1]);',
        "const b = (c, d) => [c, d];",
    ]
    assert run(main) == ["/*", "e"]


@pytest.mark.parametrize(
    "line",
    [
        'import x from "./one.js";',
        "export default 1;",
        'import { m } from "./main.js";',
        "const text = `one\n  // two`;",
    ],
)
def test_modules_that_cannot_be_joined_are_reported(write: Callable[..., Path], line: str) -> None:
    """Default exports, import cycles and multi-line strings are errors."""
    main = write(main=f"{line}\n", one="export const ONE = 1;\n")
    with pytest.raises(ValueError, match=r"main\.js"):
        joined(main)


_APP = {
    "main": 'import { log } from "./log.js";\n'
    'const card = () => import("./card.js");\n'
    "export async function start() {\n"
    "const [one, two] = await Promise.all([card(), card()]);\n"
    "log(one === two, one.show());\n"
    "}\nvoid start();\n",
    "log": "export const log = (...all) => console.log(...all);\nlog('log');\n",
    "card": 'import { log } from "./log.js";\nimport { line } from "./line.js";\nlog("card");\n'
    'export const show = () => line("x");\n',
    "line": "export const line = (text) => `${text}!`;\n",
}


def test_a_module_loaded_later_is_a_part(write: Callable[..., Path]) -> None:
    """A part contains the modules that only it imports, shares all others, and runs once."""
    main = write(**_APP)
    text, parts = joined(main)
    assert list(parts) == ["card"]
    assert "const line" not in text
    assert "console.log" not in parts["card"]
    assert run(main) == ["log", "card", "true", "x!"]


def test_a_part_depends_only_on_its_own_modules(write: Callable[..., Path]) -> None:
    """When the page's script changes, browsers can still use a cached part."""
    text, parts = joined(write(**_APP))
    changed = {**_APP, "main": f'import {{ first }} from "./first.js";\n{_APP["main"]}'}
    other, same = joined(write(**changed, first="export const first = 1;\n"))
    assert text != other
    assert same == parts
    _, new = joined(write(line="export const line = (text) => `${text}?`;\n"))
    assert new != parts


def test_modules_of_several_parts_are_in_the_script(write: Callable[..., Path]) -> None:
    """Otherwise, each part would have its own copy of their state."""
    main = write(
        main='const all = async () => [await import("./a.js"), await import("./b.js")];\n'
        "void all().then(([a, b]) => console.log(a.add(), b.add()));\n",
        a='import { add as more } from "./count.js";\nexport const add = () => more();\n',
        b='import { add as more } from "./count.js";\nexport const add = () => more();\n',
        count="let count = 0;\nexport const add = () => (count += 1);\n",
    )
    text, parts = joined(main)
    assert "let count" in text
    assert not any("let count" in part for part in parts.values())
    assert run(main) == ["1", "2"]


def test_a_part_may_load_another(write: Callable[..., Path]) -> None:
    """Both are parts of the page; a module already in its script needs no file."""
    main = write(
        main='import { there } from "./there.js";\n'
        'void import("./a.js").then((a) => a.go()).then((found) => console.log(found, there));\n',
        a='export const go = async () => (await import("./b.js")).name'
        ' + (await import("./there.js")).there;\n',
        b='export const name = "b";\n',
        there='export const there = "here";\n',
    )
    _, parts = joined(main)
    assert list(parts) == ["a", "b"]
    assert run(main) == ["bhere", "here"]


def test_a_part_that_failed_is_requested_again(write: Callable[..., Path]) -> None:
    """Browsers remember that a URL failed, so the second request uses a different one."""
    main = write(
        main='const card = () => import("./card.js");\n'
        'card().catch(() => console.log("lost")).then(restore).then(card)'
        ".then(async (one) => console.log(one.NAME, one === (await card())));\n"
        'async function restore() {\nconst { renameSync } = process.getBuiltinModule("node:fs");\n'
        'const at = (name) => new URL(name, "file://" + process.argv[1]);\n'
        'renameSync(at("card.away"), at("card.js"));\n}\n',
        card='export const NAME = "card";\n',
    )
    assert run(main, missing=("card",)) == ["lost", "card", "true"]
    text, _ = joined(main)
    assert re.search(r'later\("\./card-[0-9a-f]{8}\.js", \(part\) => part\(\)\);', text)


def test_modules_of_parts_can_be_replaced(write: Callable[..., Path], tmp_path: Path) -> None:
    """Pages without a server replace some modules, including those in parts."""
    main = write(
        main='void import("./card.js");\n',
        card='import { NAME } from "./name.js";\nconsole.log(NAME);\n',
        name='export const NAME = "server";\n',
        local='import { NAME as OLD } from "./name.js";\nexport const NAME = "not " + OLD;\n',
    )
    parts: dict[str, str] = {}
    join_modules(
        main,
        lambda name, script: parts.setdefault(name, script),
        {tmp_path / "name.js": tmp_path / "local.js"},
    )
    assert '"not " + OLD' in parts["card"]
