"""Break the source in small ways and see whether the tests notice.

Each mutation changes one operator, constant or condition in a file chosen at random. It is killed
by the first command that fails: the tests of the same folder, then the checks and all default
tests. What survives is printed with its line: a missing test, or code that makes no difference.

    python benchmarks/mutations.py -n 200 --seed 1
    python benchmarks/mutations.py -n 20 --seed 7 --only "src/sapper/game/*.py"

Files are changed in place and put back, so the checkout must have no uncommitted changes.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
_SOURCES: Final = (
    "src/sapper/**/*.py",
    "src/sapper/web/static/js/**/*.js",
    "rust/core/src/**/*.rs",
)
_SHARES: Final = (0.6, 0.25, 0.15)
"""The share of mutations in each kind of source."""

_SWAPS: Final = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.Is: "is not", ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
_TEXT_SWAPS: Final = (
    (r" === ", " !== "), (r" !== ", " === "), (r" == ", " != "), (r" != ", " == "),
    (r" < (?=\w)", " <= "), (r" <= ", " < "), (r" > (?=\w)", " >= "), (r" >= ", " > "),
    (r" && ", " || "), (r" \|\| ", " && "), (r" \+ 1\b", ""), (r" - 1\b", ""),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"),
)  # fmt: skip


class Mutation(NamedTuple):
    """A change of the text between two offsets of a file."""

    path: Path
    start: int
    end: int
    new: str

    def __str__(self) -> str:
        """Return the place and the change."""
        text = self.path.read_text("utf-8")
        line = text.count("\n", 0, self.start) + 1
        shown = f"{text[self.start : self.end].strip()} -> {self.new.strip() or 'nothing'}"
        return f"{self.path.relative_to(ROOT)}:{line}: {shown}"

    def apply(self, text: str) -> str:
        """Return the changed text."""
        return text[: self.start] + self.new + text[self.end :]


def python_mutations(path: Path) -> Iterator[Mutation]:
    """Yield the mutations of a Python module."""
    text = path.read_text("utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    encoded = [line.encode() for line in text.splitlines(keepends=True)]

    def offset(line: int, column: int) -> int:
        return starts[line - 1] + len(encoded[line - 1][:column].decode())

    def between(left: ast.expr, right: ast.expr) -> tuple[int, int]:
        assert left.end_lineno is not None
        assert left.end_col_offset is not None
        return (
            offset(left.end_lineno, left.end_col_offset),
            offset(right.lineno, right.col_offset),
        )

    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPS:
            start, end = between(node.left, node.comparators[0])
            gap = text[start:end]
            if "(" not in gap and ")" not in gap and "\n" not in gap:
                yield Mutation(path, start, end, f" {_SWAPS[type(node.ops[0])]} ")
        elif isinstance(node, ast.BoolOp):
            start, end = between(node.values[0], node.values[1])
            found = re.search(r"\b(and|or)\b", text[start:end])
            if found:
                new = "or" if found[1] == "and" else "and"
                yield Mutation(path, start + found.start(), start + found.end(), new)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            start = offset(node.lineno, node.col_offset)
            yield Mutation(path, start, start + len("not "), "")
        elif isinstance(node, ast.Constant) and type(node.value) in (bool, int):
            start = offset(node.lineno, node.col_offset)
            end = start + len(str(node.value))
            if text[start:end] == str(node.value):
                value = not node.value if isinstance(node.value, bool) else node.value + 1
                yield Mutation(path, start, end, str(value))


def text_mutations(path: Path) -> Iterator[Mutation]:
    """Yield the mutations of a JavaScript or Rust file, outside comments and Rust's tests."""
    text = path.read_text("utf-8").partition("#[cfg(test)]")[0]
    at = 0
    for line in text.splitlines(keepends=True):
        code = re.split(r"//|/\*|^\s*\*", line, maxsplit=1)[0]
        if not re.match(r"\s*(import|use|#\[)", code):
            for pattern, new in _TEXT_SWAPS:
                for found in re.finditer(pattern, code):
                    # Text in quotes is not code.
                    if code[: found.start()].count('"') % 2 == 0:
                        yield Mutation(path, at + found.start(), at + found.end(), new)
        at += len(line)


def chosen(count: int, seed: int, only: str | None) -> list[Mutation]:
    """Return random mutations, the same ones for the same seed and source."""
    rng = random.Random(seed)
    made: list[Mutation] = []
    patterns = [only] if only else _SOURCES
    for pattern, share in zip(patterns, [1.0] if only else _SHARES, strict=True):
        found: list[Mutation] = []
        for path in sorted(ROOT.glob(pattern)):
            kind = python_mutations if path.suffix == ".py" else text_mutations
            found += kind(path)
        made += rng.sample(found, min(len(found), round(count * share)))
    return made


def commands(path: Path) -> Iterator[list[str]]:
    """Yield the commands that may notice a change of a file, the nearest first."""
    pytest = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]
    place = path.relative_to(ROOT)
    if path.suffix == ".py":
        near = ROOT / "tests" / "unit" / place.relative_to("src/sapper").parent
        test = near / f"test_{path.stem}.py"
        if test.exists():
            yield [*pytest, "-n0", str(test.relative_to(ROOT))]
        if near.exists():
            yield [*pytest, str(near.relative_to(ROOT))]
        yield [sys.executable, "-m", "mypy"]
        yield pytest
    elif path.suffix == ".js":
        yield ["npm", "run", "--silent", "types"]
        yield ["npm", "test", "--silent"]
        yield [*pytest, "tests/unit/web", "tests/e2e"]
    else:
        yield ["cargo", "test", "--quiet", "-p", "sapper-core"]
        yield ["maturin", "develop", "--release", "--quiet"]
        yield pytest


def killer(mutation: Mutation) -> str | None:
    """Return the command that notices a mutation, or None if none does."""
    original = mutation.path.read_text("utf-8")
    try:
        mutation.path.write_text(mutation.apply(original), "utf-8")
        for command in commands(mutation.path):
            try:
                done = subprocess.run(command, cwd=ROOT, capture_output=True, timeout=1800)
            except subprocess.TimeoutExpired:
                return f"{' '.join(command)} (no end)"
            if done.returncode:
                return " ".join(command)
        return None
    finally:
        mutation.path.write_text(original, "utf-8")


def main() -> int:
    """Print a line for each mutation, and how many were killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", type=int, default=200, help="mutations (200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="a pattern of files, instead of all sources")
    args = parser.parse_args()
    changed = subprocess.run(
        ["git", "status", "--porcelain", "--untracked-files=no"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    if changed:
        sys.exit(f"mutations.py: commit these changes first:\n{changed}")
    # Put the file back on a signal as well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    mutations, killed = chosen(args.n, args.seed, args.only), 0
    for mutation in mutations:
        place, command = str(mutation), killer(mutation)
        killed += command is not None
        print(f"{place}: {f'killed by {command}' if command else 'SURVIVED'}", flush=True)
    print(f"{killed} of {len(mutations)} killed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
