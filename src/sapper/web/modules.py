"""Join ES modules into one script per page, plus one for each part that it loads later.

Modules import by name, with ``import { a, b as c } from "./x.js";``, and export functions, classes
and constants where they are declared. In a script, each module is a function that is called once.
Whole-line comments, type comments and indentation are removed; nothing is minified.

With ``import("./x.js")``, a module loads another one when it is needed. That module is a *part*:
a separate script with the modules that only it imports. Modules that several parts import are in
the page's script, so that each module runs once. A part exports one function, whose arguments are
its imports from the page's script::

    export default (module0, module1) => {
    const module2 = (() => { ... })();
    return module2;
    };

The page's script calls that function, and ``import("./x.js")`` calls the page's script::

    const part0 = later("./index.x-0123456789abcdef.js", (part) => part(module3, module7));

So the content of a part, and the hash in its name, do not depend on the page's script, which
contains the names of its parts. Addresses of parts are relative to the script. Every
``import("./x.js")`` gives the same object. If a part cannot be loaded, the promise is rejected, and
the next ``import("./x.js")`` tries again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

__all__ = ["COMMENT", "PADDING", "join_modules"]

COMMENT: Final = re.compile(r"^[ \t]*/\*(?:(?!\*/).)*\*/[ \t]*\n", re.M | re.S)
"""Matches comments that fill whole lines."""
PADDING: Final = re.compile(r"^[ \t]+|^\n", re.M)
"""Matches indentation and empty lines."""
_LINE_COMMENT: Final = re.compile(r"^[ \t]*//.*\n", re.M)
_TYPE_COMMENT: Final = re.compile(r"/\*\* @(?:(?!\*/).)*\*/[ \t]?", re.S)
_IMPORT: Final = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.M)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const) ([\w$]+))", re.M)
_LATER: Final = re.compile(r'\bimport\("(\.\.?/[^"]+)"\)')

# Browsers remember that a URL failed to load, so the next attempt needs a different one.
_LOADER: Final = """\
const later = (address, start) => {
let loading = null;
let failures = 0;
return () => (loading ??= import(failures ? `${address}?${failures}` : address).then(
(part) => start(part.default),
(problem) => {
loading = null;
failures += 1;
throw problem;
},
));
};
"""


def join_modules(
    entry: Path,
    add_part: Callable[[str, str], str],
    instead: Mapping[Path, Path] = MappingProxyType({}),
) -> str:
    """Join an ES module with all its imports, and return the script.

    Args:
        entry: The module.
        add_part: Called with the name and script of each part; returns its address.
        instead: Replacements for modules; each may import the module that it replaces.

    Raises:
        ValueError: If there is an import cycle, another form of import, or a multi-line template.
    """
    modules = _Modules(entry, instead)
    shared, parts = modules.divide()
    names = {path: f"module{number}" for number, path in enumerate(shared)}
    names_of_parts = {path: f"part{number}" for number, path in enumerate(parts)}
    loaders = []
    for path, own in parts.items():
        if own:
            needed = modules.needed_by(own)
            address = add_part(path.stem, modules.part(path, own, needed))
            given = ", ".join(
                [names[one] for one in needed] + [names_of_parts[one] for one in modules.later(own)]
            )
            loaders.append(
                f'const {names_of_parts[path]} = later("{address}", (part) => part({given}));\n'
            )
        else:
            # The page's script already contains this module.
            loaders.append(f"const {names_of_parts[path]} = async () => {names[path]};\n")
    loader = _LOADER if any(parts.values()) else ""
    return loader + "".join(loaders) + modules.script(shared, names, names_of_parts)


class _Modules:
    """A module and all others that it imports, now or later."""

    def __init__(self, entry: Path, instead: Mapping[Path, Path]) -> None:
        self._entry, self._instead = entry, instead
        self._texts: dict[Path, str] = {}
        self._imports: dict[Path, list[Path]] = {}
        self._later: dict[Path, list[Path]] = {}
        self._order: list[Path] = []
        self._roots = [entry]
        for root in self._roots:
            self._add(root, ())

    def _add(self, path: Path, above: tuple[Path, ...]) -> None:
        """Read a module and its imports."""
        if path in above:
            raise ValueError(f"{path.name} imports itself by way of {above[-1].name}")
        if path in self._texts:
            return
        text = self._texts[path] = _cleaned(path)
        self._imports[path] = [self._found(path, name) for _, name in _IMPORT.findall(text)]
        self._later[path] = [self._found(path, name) for name in _LATER.findall(text)]
        for imported in self._imports[path]:
            self._add(imported, (*above, path))
        self._order.append(path)
        self._roots += (one for one in self._later[path] if one not in self._roots)

    def _found(self, path: Path, name: str) -> Path:
        """Return the path of an imported module."""
        wanted = Path(os.path.normpath(path.parent / name))
        other = self._instead.get(wanted, wanted)
        return wanted if other == path else other

    def _reached(self, root: Path) -> set[Path]:
        """Return a module and all modules that it imports, directly or indirectly."""
        reached, waiting = {root}, [root]
        while waiting:
            fresh = set(self._imports[waiting.pop()]) - reached
            reached |= fresh
            waiting += fresh
        return reached

    def _ordered(self, paths: Iterable[Path]) -> list[Path]:
        """Return modules in the order in which they run."""
        return sorted(set(paths), key=self._order.index)

    def divide(self) -> tuple[list[Path], dict[Path, list[Path]]]:
        """Return the modules of the page's script, and those of each part."""
        reached = {root: self._reached(root) for root in self._roots}
        shared = set(reached[self._entry])
        for path in self._order:
            if sum(path in each for each in reached.values()) > 1:
                shared.add(path)
        parts = {root: self._ordered(reached[root] - shared) for root in self._roots[1:]}
        return self._ordered(shared), parts

    def needed_by(self, own: Iterable[Path]) -> list[Path]:
        """Return the modules that a part imports from the page's script."""
        own = set(own)
        return self._ordered({one for path in own for one in self._imports[path]} - own)

    def later(self, own: Iterable[Path]) -> list[Path]:
        """Return the parts that a part may load."""
        return self._ordered(one for path in own for one in self._later[path])

    def part(self, root: Path, own: list[Path], needed: list[Path]) -> str:
        """Return the script of a part."""
        names = {path: f"module{number}" for number, path in enumerate([*needed, *own])}
        parts = {path: f"part{number}" for number, path in enumerate(self.later(own))}
        given = ", ".join([*(names[path] for path in needed), *parts.values()])
        script = self.script(own, names, parts)
        return f"export default ({given}) => {{\n{script}return {names[root]};\n}};\n"

    def script(
        self, paths: Iterable[Path], names: Mapping[Path, str], parts: Mapping[Path, str]
    ) -> str:
        """Return modules as functions, each called once."""
        return "".join(
            f"const {names[path]} = (() => {{\n{self._body(path, names, parts)}}})();\n"
            for path in paths
        )

    def _body(self, path: Path, names: Mapping[Path, str], parts: Mapping[Path, str]) -> str:
        def bind(match: re.Match[str]) -> str:
            bound = " ".join(match[1].split()).strip(" ,").replace(" as ", ": ")
            return f"const {{ {bound} }} = {names[self._found(path, match[2])]};\n"

        text = _IMPORT.sub(bind, self._texts[path])
        text = _LATER.sub(lambda match: f"{parts[self._found(path, match[1])]}()", text)
        exported = _EXPORT.findall(text)
        text = _EXPORT.sub("", text)
        if wrong := re.search(r"^(import|export)\b.*", text, re.M):
            raise ValueError(f"{path.name} cannot be joined: {wrong[0]}")
        return f"{text}return {{ {', '.join(exported)} }};\n"


def _cleaned(path: Path) -> str:
    """Return a module without comments and indentation."""
    text = _TYPE_COMMENT.sub("", COMMENT.sub("", path.read_text("utf-8")))
    text = PADDING.sub("", _LINE_COMMENT.sub("", text))
    if odd := next((line for line in text.splitlines() if line.count("`") % 2), None):
        # Whitespace at the start of a line may belong to a multi-line template.
        raise ValueError(f"{path.name} has a text of several lines: {odd}")
    return text
