"""Quaint phrases stay out of the code, the docs and the interface."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUFFIXES = {".py", ".pyi", ".rs", ".md", ".js", ".html"}
FILES = sorted(
    [
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        ROOT / "benchmarks" / "README.md",
        *(ROOT / "benchmarks").glob("*.py"),
        *(path for path in (ROOT / "rust").rglob("*.rs") if "target" not in path.parts),
        *(path for path in (ROOT / "src").rglob("*") if path.suffix in SUFFIXES),
    ]
)

BANNED = {
    r"\bwhat came of\b|\bcame of it\b|\bwhat comes of\b": "result",
    r"\breckon(s|ed)? with\b": "predict",
    r"\btells? how\b|\btells? of\b": "show, report, describe",
    r"\bheld against\b|\bhold \w+ against\b": "compare with, check against",
    r"\bwhere left out\b|\bwhen left out\b": "default:",
    r"\bfound out\b": "detected",
    r"\bCtrl-C and worse\b|\bCtrl-C or worse\b": "Ctrl-C and crashes",
    r"\bthereof\b|\bwherefrom\b|\bwhereof\b|\bof late\b": "say the thing",
    r"\bwhoever read\b": "output pipe closed",
    r"\bper-cent\b": "percent",
    r"\bthat shall\b": "to",
    r"\bbrings? back\b": "repeat, implement",
    r"\bthere are no \w+ \{": "unknown ...; choose from",
    r"\btaken? back\b": "undo",
    r"\bso (many|much) (games|mines|cells|boards)\b": "the number",
    r"\bbe it\b": "even",
    r"\bwhat makes one\b": "a function that returns one",
    r"\bfor ever\b": "forever",
    r"\blest\b": "so that ... not",
    r"\bby and by\b": "later",
    r"\bthe one shape of errors\b": "the usual shape of errors",
    r"\bmakes? no game\b": "are invalid",
    r"\bof no effect\b": "has no effect",
    r"\bdeals? evenly\b": "deal uniformly",
    r"\bof the day\b|\bwhence\b": "say the thing",
    r"\bwhatever (it|these|those|this) (is|are|was|were)\b": "with any, regardless of",
}


def test_no_quaint_phrases() -> None:
    """The error lists each banned phrase with its file, line and replacement."""
    found = []
    # Search each text once instead of once per phrase.
    any_banned = re.compile("|".join(BANNED))
    for path in FILES:
        text = path.read_text("utf-8")
        if not any_banned.search(text):
            continue
        for pattern, plain in BANNED.items():
            for match in re.finditer(pattern, text):
                line = text.count("\n", 0, match.start()) + 1
                place = f"{path.relative_to(ROOT)}:{line}"
                found.append(f"{place}: {match[0]!r}; write: {plain}")
    assert len(FILES) > 400
    assert not found, "\n".join(found)
