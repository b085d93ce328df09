"""Values and strings in messages are shortened by the same functions."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import sapper
from sapper._util.shortening import first_line, joined, shortened, shown

PACKAGE = Path(sapper.__file__).parent
_CUT = re.compile(r"\.\d+")


class Unprintable:
    """An object whose repr raises an error that is not an `Exception`."""

    def __repr__(self) -> str:
        raise SystemExit


def nested() -> list[object]:
    """Return a list that is nested too deeply for `repr`."""
    outer: list[object] = []
    for _ in range(100_000):
        outer = [outer]
    return outer


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("", "''"),
        ("it's", '"it\'s"'),
        ("a\nb", r"'a\nb'"),
        ("x" * 78, f"'{'x' * 78}'"),
        ("x" * 79, f"'{'x' * 77}…'"),
        (b"x" * 10**7, f"b'{'x' * 76}…'"),
        ([1] * 100, "[1, 1, 1, 1, …]"),
        (Unprintable(), "<Unprintable object>"),
        (10**5000, "<int object>"),
        (2**64, "18446744073709551616"),
    ],
    ids=range(10),
)
def test_values_are_shown_in_at_most_80_characters(value: object, text: str) -> None:
    """The quotes stay, and a value without a repr is shown by its type."""
    assert shown(value) == text


def test_deeply_nested_value_is_shown_on_one_line() -> None:
    """`repr` raises `RecursionError` for deeply nested values."""
    assert len(shown(nested())) <= 80


def test_texts_are_cut_between_words() -> None:
    """A word that fills most of the text is cut, so that something is left."""
    text = "mines must be between 0 and 71"
    assert [shortened(text, most) for most in (30, 29, 19, 14, 4)] == [
        text,
        "mines must be between 0 and…",
        "mines must be…",
        "mines must be…",
        "min…",
    ]
    for most in range(2, 30):
        assert len(shortened(text, most)) <= most


def test_lists_show_their_first_values() -> None:
    """An ellipsis stands for the rest."""
    assert [joined(range(n)) for n in (0, 4, 5)] == ["", "0, 1, 2, 3", "0, 1, 2, 3, …"]


def test_an_error_without_text_is_its_type() -> None:
    """An error with a message is shown by its first line."""
    assert first_line(KeyError()) == "KeyError"
    assert first_line(ValueError("\none\ntwo")) == "one"


def cuts(tree: ast.AST) -> Iterator[int]:
    """Yield the lines that cut text: ``{value:.40}`` anywhere, ``text[:40]`` in raised errors."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
            if _CUT.fullmatch("".join(map(_literal, node.format_spec.values))):
                yield node.lineno
        elif isinstance(node, ast.Raise):
            for part in ast.walk(node):
                if isinstance(part, ast.Slice) and isinstance(part.upper, ast.Constant):
                    yield node.lineno


def _literal(part: ast.expr) -> str:
    return str(part.value) if isinstance(part, ast.Constant) else "?"


def test_messages_shorten_values_with_these_functions_only() -> None:
    """A string cut by hand ends in the middle of a word, without an ellipsis."""
    assert list(cuts(ast.parse('print(f"{x!r:.40} {y:.2f}")'))) == [1]
    assert list(cuts(ast.parse('raise ValueError(f"{text[:40]!r}")'))) == [1]
    found = [
        f"{path.relative_to(PACKAGE)}:{line}"
        for path in sorted(PACKAGE.rglob("*.py"))
        for line in cuts(ast.parse(path.read_text("utf-8")))
    ]
    assert found == []
