"""Every example in a docstring of the installed package."""

import doctest
import importlib
import pkgutil

import pytest

import sapper

MODULES = ["sapper", *(m.name for m in pkgutil.walk_packages(sapper.__path__, "sapper."))]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_hold(name: str) -> None:
    """What an example shows is what it gives."""
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not found.failed
