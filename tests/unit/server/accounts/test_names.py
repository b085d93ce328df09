"""Account names: length, characters, scripts, reserved words, and names that look alike."""

from __future__ import annotations

import pytest

from sapper.server.accounts.errors import BadName
from sapper.server.accounts.names import RESERVED, RESERVED_PARTS, Name
from sapper.solver.bots.registry import bots

pytest.importorskip("confusable_homoglyphs", reason="the extra accounts is not installed")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann ", "Ann"),
        ("Ａｎｎ", "Ann"),
        ("ﬁona", "fiona"),
        ("Jose\u0301", "José"),
        ("O'Brien", "O'Brien"),
        ("Mary Jane-2", "Mary Jane-2"),
        ("Łukasz", "Łukasz"),
        ("Саша", "Саша"),
        ("रमेश", "रमेश"),
        ("محمد", "محمد"),
        ("小明Tom", "小明Tom"),
        ("さくら子", "さくら子"),
        ("민준", "민준"),
        ("x" * 20, "x" * 20),
    ],
)
def test_names_of_many_languages_are_allowed(text: str, shown: str) -> None:
    """Names are shown in NFKC form."""
    assert Name.of(text).shown == shown


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "2 to 20 characters"),
        ("x", "2 to 20 characters"),
        ("x" * 21, "2 to 20 characters"),
        ("ﷺﷺ", "2 to 20 characters"),
        ("a..b", "between two of them"),
        ("-ab", "between two of them"),
        ("ab.", "between two of them"),
        ("a\u200bb", "between two of them"),
        ("a\u202eb", "between two of them"),
        ("a\nb", "between two of them"),
        ("a\u3164b", "between two of them"),
        ("a☺b", "between two of them"),
        ("<b>ab", "between two of them"),
        ("1234", "one letter"),
        ("1٢ab", "single script"),
        ("z" + "\u0335" * 4, "single script"),
        ("Sаша", "single script"),
        ("раypal", "single script"),
        ("Ωmega", "single script"),
        ("さ민", "single script"),
    ],
)
def test_other_names_are_refused(text: str, reason: str) -> None:
    """Each invalid name is refused with a reason."""
    with pytest.raises(BadName, match=reason):
        Name.of(text)


@pytest.mark.parametrize(
    "text",
    [
        *(*RESERVED, *RESERVED_PARTS, *bots),
        *(
            "Admin",
            "AD-MIN",
            "A d-m.i_n",
            "ａｄｍｉｎ",
            "rnod",
            "Sapper",
            "0wner",
            "adm1n",
            "ądmin",
        ),
        *("adm1n", "ądmin", "Adm\u0131n", "AdmIn"),
        *("Teal otter", "TEAL-OTTER", "青色水獭"),
        *(
            "4dm1n",
            "Guest 1",
            "guest42",
            "Gue5t",
            "Master bot",
            "MasterBot",
        ),
        *("Sapper Team", "the admin", "site admin", "siteadmin", "adminteam", "The Admins"),
        *("админ", "Сайт админ", "deleted player", "champion", "Champion 2", "B0T", "bot-7"),
        *("Sapper-Support", "Chess.Mod", "Gość 3", "gosc", "管理员小明", "官方客服"),
    ],
)
def test_reserved_words_are_refused_in_any_spelling(text: str) -> None:
    """Words are compared by appearance, because two letters may look like a single one."""
    with pytest.raises(BadName, match="reserved"):
        Name.of(text)


@pytest.mark.parametrize(
    "text",
    [
        *("Badminton", "Modest", "Abbott", "Robot9x", "Botanist", "Guesthouse", "Ghost", "Modena"),
        *("World Champion", "Team Rocket", "You Know Who", "Player One", "Exact Ann", "Helpful"),
        *("Sapperlot", "Ada Min", "Hostess", "Саша", "Ботаник", "Systematic", "Staffan"),
    ],
)
def test_words_inside_other_words_are_allowed(text: str) -> None:
    """Few people should have to look for another name."""
    assert Name.of(text).shown == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("PayPal", "paypal"),
        ("paypal", "paypaI"),
        ("paypal", "paypa1"),
        ("mike", "rnike"),
        ("Bob", "B0b"),
        ("сосо", "coco"),
        ("СОСО", "coco"),
        ("Straße", "strasse"),
        ("ΟΣ", "ος"),
    ],
)
def test_similar_names_share_a_look(one: str, other: str) -> None:
    """Names can look alike despite a different case, characters or script."""
    assert not Name.of(one).looks.isdisjoint(Name.of(other).looks)


@pytest.mark.parametrize(("one", "other"), [("Ann", "Anna"), ("Mia", "Mio"), ("Саша", "Маша")])
def test_different_names_share_no_look(one: str, other: str) -> None:
    """Names that look different can belong to two accounts."""
    assert Name.of(one).looks.isdisjoint(Name.of(other).looks)
