"""Write the library in docs/patterns.md, and its pictures: ``python docs/patterns_reference.py``.

The part of the page above the marker is written by hand. With ``--check``, nothing is written, and
the exit status is 1 if the page or a picture is out of date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from sapper.coach.patterns import Elsewhere, Family, Form, Pattern, patterns

PAGE = Path(__file__).parent / "patterns.md"
FOLDER = Path(__file__).parent / "images" / "patterns"
MARKER = "<!-- Everything below is written by docs/patterns_reference.py. -->\n"
LEVELS = {1: "basic", 2: "intermediate", 3: "advanced"}


def picture(pattern: Pattern) -> str:
    """Return the picture of a pattern as SVG."""
    form = pattern.forms[0]
    shown = form.position
    # Known mines are drawn as flags.
    shown = shown.showing(shown.cells.replace(b"*", b"F"))
    marks = {
        "ring": form.numbers,
        "safe": form.safe,
        "mine": form.mined,
        "chosen": (*form.guessed, *form.claimed_safe, *form.claimed_mined),
    }
    return shown.to_svg(
        marks={name: cells for name, cells in marks.items() if cells},
        title=str(pattern.name),
        description=str(pattern.summary),
        cell_px=32,
    )


def library() -> Iterator[str]:
    """Yield the lines of the library."""
    yield f"{len(patterns())} patterns in {len(Family)} families."
    for family in Family:
        yield f"\n## {family.label}"
        for pattern in patterns().values():
            if pattern.family is family:
                yield from _entry(pattern)


def _entry(pattern: Pattern) -> Iterator[str]:
    yield f"\n({pattern.id})=\n\n### {pattern.name}\n"
    yield f"![{_alternative(pattern.forms[0])}](images/patterns/{pattern.id}.svg)\n"
    yield f"{pattern.summary}\n"
    facts = [f"`{pattern.id}`", LEVELS[pattern.level]]
    facts += [f"{len(pattern.forms)} pictures"] if len(pattern.forms) > 1 else []
    if pattern.looks_like:
        facts.append(f"looks like [{patterns()[pattern.looks_like].name}](#{pattern.looks_like})")
    facts.append(f"[source of the name]({pattern.source})" if pattern.source else "named by Sapper")
    yield ", ".join(facts) + "."


def _alternative(form: Form) -> str:
    """Return the picture in words."""
    rows = "; ".join(" ".join(row.strip("#")) for row in form.rows if row.strip("#"))
    parts = [f"Rows: {rows}"]
    if form.remaining is not None:
        parts.append(f"mines left: {form.remaining}")
    if form.elsewhere is Elsewhere.SAFE:
        parts.append("all other cells are safe")
    return ", ".join(parts)


def files() -> dict[Path, str]:
    """Return the text of every file."""
    head, marker, _ = PAGE.read_text("utf-8").partition(MARKER)
    if not marker:
        raise SystemExit(f"{PAGE.name} has no marker")
    page = f"{head}{MARKER}\n" + "\n".join(library()) + "\n"
    pictures = {FOLDER / f"{name}.svg": picture(found) for name, found in patterns().items()}
    return {PAGE: page, **pictures}


def main() -> int:
    """Write the files, or compare them."""
    check = sys.argv[1:] == ["--check"]
    found = files()
    stale = [at for at, text in found.items() if not at.exists() or at.read_text("utf-8") != text]
    unused = sorted({*FOLDER.glob("*.svg")} - {*found})
    for at in [*stale, *unused]:
        if not check:
            FOLDER.mkdir(parents=True, exist_ok=True)
            if at in found:
                at.write_text(found[at], "utf-8")
            else:
                at.unlink()
        print(f"{at.name}: {'out of date' if check else 'written' if at in found else 'removed'}")
    return int(check and bool(stale or unused))


if __name__ == "__main__":
    sys.exit(main())
