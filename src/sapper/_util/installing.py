"""The pip commands in messages about parts of Sapper that are not installed."""

from __future__ import annotations

from typing import Final

__all__ = ["SOURCE", "pip_install"]

SOURCE: Final = "."
"""The package that pip installs: the checkout, or ``sapper`` once the package is on PyPI.

After a change, run ``python docs/install_lines.py``, which updates the docs and the web app.
"""


def pip_install(extra: str, *, force: bool = False) -> str:
    """Return the command that installs an extra.

    Args:
        extra: Name of the extra.
        force: Whether to install its packages again.
    """
    return f"pip install {'--force-reinstall ' if force else ''}'{SOURCE}[{extra}]'"
