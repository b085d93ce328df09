"""Runs every docstring example in the installed package."""

import doctest
import importlib
import pkgutil

import pytest

import sapper

# Needs Stable-Baselines3, which no extra installs because it needs PyTorch.
LEFT_OUT = {"sapper.env.sb3"}
FOUND = {"sapper", *(m.name for m in pkgutil.walk_packages(sapper.__path__, "sapper."))}
MODULES = sorted(FOUND - LEFT_OUT)


@pytest.mark.parametrize("name", MODULES)
def test_docstring_examples_work(name: str) -> None:
    """Each example prints the output shown."""
    found = doctest.testmod(importlib.import_module(name), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert not found.failed
