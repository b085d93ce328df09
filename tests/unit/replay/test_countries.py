"""The table of countries, which `docs/countries.py` writes."""

import subprocess
import sys
from pathlib import Path

import pytest

from sapper.replay.countries import TABLE, country_code, plain

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Myanmar (Burma)", "MM"),
        ("burma", "MM"),
        ("Bosnia and Herzegovina", "BA"),
        ("Côte d'Ivoire", "CI"),
        ("America", "US"),
        ("中国香港特别行政区", "HK"),
        ("台湾", "TW"),
        ("Německo", "DE"),
        ("Österreich", "AT"),
        ("España", "ES"),
        ("Pilipinas", "PH"),
        ("Suède", "SE"),
        ("Wielka Brytania", "GB"),
        ("Россия", "RU"),
    ],
)
def test_names_in_every_language_are_known(name: str, code: str) -> None:
    """Short forms, other quotes and other cases count as well."""
    assert country_code(name) == code


@pytest.mark.parametrize("name", ["European Union", "Atlantis", "", "#", "\t"])
def test_other_names_are_no_country(name: str) -> None:
    """Unions, test codes and comments of the table have no code."""
    assert country_code(name) == ""


def test_a_name_belongs_to_one_country() -> None:
    """The codes are sorted, and no name stands in two lines."""
    lines = [line.split("\t") for line in TABLE.read_text("utf-8").splitlines() if line[0] != "#"]
    codes = [code for code, *_ in lines]
    names = [plain(name) for _, *names in lines for name in names]
    assert len(codes) > 240
    assert codes == sorted(set(codes))
    assert len(names) == len(set(names)) > 1500


def test_the_table_is_current() -> None:
    """The script wrote it with the locked version of Babel."""
    header = TABLE.read_text("utf-8").splitlines()[1]
    lock = (ROOT / "requirements-dev.lock").read_text("utf-8").splitlines()
    [version] = [line.removeprefix("babel==") for line in lock if line.startswith("babel==")]
    assert header.startswith(f"# From the Unicode CLDR data in Babel {version};")


def test_countries_are_found_without_babel() -> None:
    """Babel takes 36 MB, and only this table is needed of it."""
    script = """
import sys
sys.modules["babel"] = None
from sapper.replay.countries import country_code
print(country_code("Switzerland"))
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "CH\n"
