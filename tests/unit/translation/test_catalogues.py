"""Message catalogues are read as gettext does, and their placeholders match."""

from __future__ import annotations

import re
from dataclasses import replace
from gettext import c2py
from io import BytesIO
from pathlib import Path
from types import ModuleType

import pytest
from babel.messages.pofile import read_po

from sapper._util.python_file import run_file
from sapper.translation import LANGUAGES, capital, catalogue, preferred_language, sentences, t, tn
from sapper.translation.catalogues import PARTIAL, read_catalogue

ROOT = Path(__file__).parents[3]
TRANSLATED = [language for language in LANGUAGES if language != "en"]

PO = r"""
msgid ""
msgstr ""
"Language: cs\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);\n"

msgid "{n} mine"
msgid_plural "{n} mines"
msgstr[0] "{n} mina"
msgstr[1] "{n} miny"
msgstr[2] "{n} min"

msgid ""
"the {number} "
"at \"{place}\""
msgstr "číslo {number} („{place}“)"

msgid "not yet"
msgstr ""
"""


@pytest.fixture(scope="module")
def script() -> ModuleType:
    """The script that updates the catalogues."""
    return run_file(ROOT / "docs" / "translations.py", "script")


def test_text_is_translated_with_values_and_plural() -> None:
    """Nested messages are translated as well, and capitals are kept."""
    czech = read_catalogue("cs", PO)
    assert czech.text(
        t('the {number} at "{place}"', number=3, place=tn("{n} mine", "{n} mines", 2))
    ) == ("číslo 3 („2 miny“)")
    assert czech.text(capital(t('the {number} at "{place}"', number=3, place="A"))) == (
        "Číslo 3 („A“)"
    )
    assert czech.text(t("not yet")) == "not yet"


def test_chinese_sentences_and_lists_have_no_spaces() -> None:
    """Sentences follow each other directly, and list items are separated by the Chinese comma."""
    forms = "Plural-Forms: nplurals=1; plural=0;"
    chinese = read_catalogue(
        "zh-Hans",
        f'msgid ""\nmsgstr "{forms}"\n\n'
        'msgid "Safe."\nmsgstr "安全。"\n\nmsgid "flag"\nmsgstr "旗"\n',
    )
    assert chinese.text(sentences(t("Safe."), t("Safe."))) == "安全。安全。"
    assert chinese.text(t("{parts}", parts=[t("flag"), t("flag")])) == "旗，旗"


def test_messages_keep_other_values() -> None:
    """Every text in a message is translated; plain strings and numbers stay."""
    czech = read_catalogue("cs", PO)
    given = {"a": tn("{n} mine", "{n} mines", 5), "b": [[1, "x"]], "c": ["{n} mine"], "d": None}
    assert czech.message(given) == {**given, "a": "5 min"}


def test_plural_forms_repeat_after_two_hundred() -> None:
    """The form table agrees with the rule for large counts."""
    for language in TRANSLATED:
        words = catalogue(language)
        text = (ROOT / f"src/sapper/locale/{language}/LC_MESSAGES/sapper.po").read_text("utf-8")
        rule = c2py(re.search(r"plural=(.+?);", text)[1])  # type: ignore[index]
        assert all(words._form(n) == rule(n) for n in range(1200)), language


def test_only_scripts_get_the_texts_of_scripts() -> None:
    """A page's scripts receive only the messages asked for."""
    assert read_catalogue("cs", PO).to_json({"{n} mine", "not yet"})["messages"] == {
        "{n} mine": ["{n} mina", "{n} miny", "{n} min"]
    }


@pytest.mark.parametrize(
    ("chosen", "accepted", "language"),
    [
        (None, "", "en"),
        (None, "sk-SK,cs;q=0.9,en;q=0.8", "cs"),
        (None, "en-GB,de", "en"),
        (None, "de;q=0.2,pl-PL;q=0.9", "pl"),
        (None, "tl-PH", "fil"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"),
        (None, "zh-Hans-SG", "zh-Hans"),
        ("zh-Hans", "ru", "zh-Hans"),
        ("fr", "de", "fr"),
        ("xx", "de;q=much,fr", "fr"),
    ],
)
def test_language_of_a_browser(chosen: str | None, accepted: str, language: str) -> None:
    """The visitor's choice comes first, then the browser's languages, then English."""
    assert preferred_language(chosen, accepted) == language


@pytest.mark.parametrize("language", TRANSLATED)
def test_catalogues_match_babel(language: str, script: ModuleType) -> None:
    """Sapper's reader returns the same messages as Babel."""
    data = script.path_of(language).read_bytes()
    expected = {
        (m.id if isinstance(m.id, str) else m.id[0]): (
            (m.string,) if isinstance(m.string, str) else tuple(m.string)
        )
        for m in read_po(BytesIO(data))
        if m.id and m.string and all(m.string)
    }
    assert dict(read_catalogue(language, data.decode()).messages) == expected


def test_a_new_text_needs_no_translation(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new text appears in English until it is translated; a release check lists it."""
    lacking = script.missing("cs", script.updated("cs"))
    new = ("{n} new text.", "{n} new texts.")
    texts = {**script.sources(), new[0]: new}
    monkeypatch.setattr(script, "sources", lambda: texts)
    text = script.updated("cs")
    assert 'msgid_plural "{n} new texts."\nmsgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""\n' in text
    assert sorted(script.missing("cs", text)) == sorted([*lacking, new[0]])
    assert read_catalogue("cs", text).text(tn(*new, 2)) == "2 new texts."


@pytest.mark.parametrize("language", TRANSLATED)
def test_an_update_keeps_what_readers_see(language: str, script: ModuleType) -> None:
    """Updating removes no translation that is in use, and keeps the header's plural forms."""
    before = catalogue(language)
    after = read_catalogue(language, script.updated(language))
    used = {source: forms for source, forms in before.messages.items() if source in after.messages}
    assert after == replace(before, messages=used)
    assert set(before.messages) & set(script.sources()) == set(used)


@pytest.mark.parametrize("plurals", [1, 2, 3])
def test_the_check_counts_messages_without_all_plural_forms(
    plurals: int, script: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message with too few, too many or empty forms appears in English, and is listed."""
    rule = f"nplurals={plurals}; plural=(n > 1);"
    text = f'msgid ""\nmsgstr "Plural-Forms: {rule}"\n'
    for count in (1, 2, 3):
        text += f'\nmsgid "{count} one"\nmsgid_plural "{count} more"\n'
        text += "".join(f'msgstr[{at}] "form {at}"\n' for at in range(count))
    text += '\nmsgid "empty"\nmsgid_plural "empties"\n'
    text += "".join(f'msgstr[{at}] "{"form" * (at > 0)}"\n' for at in range(plurals))
    texts = {f"{count} one": (f"{count} one", f"{count} more") for count in (1, 2, 3)}
    texts["empty"] = ("empty", "empties")
    monkeypatch.setattr(script, "sources", lambda: texts)
    words = read_catalogue("fr", text)
    listed = script.missing("fr", text)
    assert listed == [source for source in sorted(texts) if source != f"{plurals} one"]
    assert all(words.text(tn(*texts[source], 2)) == texts[source][1] for source in listed)


def test_catalogues_have_no_comments_on_messages(script: ModuleType) -> None:
    """Where a message is used is found in the sources, and would change with every edit."""
    texts = [script.path_of(language).read_text("utf-8") for language in TRANSLATED]
    assert texts
    assert [text for text in texts if re.search(r"^#[:,|~]", text, re.M)] == []


def test_texts_of_python_modules_are_found(script: ModuleType) -> None:
    """Only literal texts can be translated; adjacent strings are one text."""
    source = 't("a " "b", n=1)\ntn("{n} x", "{n} xs", 2)\nt(name)\nother("c")\n'
    assert list(script.python_texts(source)) == [("a b",), ("{n} x", "{n} xs")]


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_placeholders_of_their_source(
    language: str, script: ModuleType
) -> None:
    """A translation uses exactly the placeholders of its source text."""
    with script.path_of(language).open("rb") as file:
        messages = [m for m in read_po(file) if m.id and m.string]
    assert messages or language in PARTIAL
    for message in messages:
        sources = [message.id] if isinstance(message.id, str) else list(message.id)
        forms = [message.string] if isinstance(message.string, str) else list(message.string)
        allowed = set().union(*map(_places, sources))
        for form in filter(None, forms):
            # The singular form may omit the number.
            assert allowed - {"n"} <= _places(form) <= allowed | {"n"}, form


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_have_the_punctuation_of_their_language(
    language: str, script: ModuleType
) -> None:
    """Quotes and other marks follow the language; French ones stay on the line of their word."""
    with script.path_of(language).open("rb") as file:
        messages = [m for m in read_po(file) if m.id and m.string]
    forms = [
        form for m in messages for form in ([m.string] if isinstance(m.string, str) else m.string)
    ]
    quotes = {
        "es": "“”",
        "fil": "“”",
        "fr": "«»",
        "pl": "„”",
        "ru": "«»",
        "zh-Hans": "“”",
    }.get(language, "„“")
    others = "".join(set("«»„“”") - set(quotes))
    texts = [re.sub(r"<[^>]*>|&\w+;", "", form) for form in forms]
    wrong = rf"[{others}]"
    if language == "fr":
        # A question mark after a space may be the key.
        wrong += r"|[^\s(][:;!?»](?=\s|$)| [:;!»](?=\s|$)| \?$|«(?!\u00a0)"
    if language == "es":
        wrong += r"|^[^¿]*\w\?|^[^¡]*\w!"
    if language == "zh-Hans":
        wrong += r"|(?<=[\u4e00-\u9fff])[,;:!?]"
    assert [text for text in texts if re.search(wrong, text)] == []


def _places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))
