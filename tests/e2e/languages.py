"""Languages of the pages."""

from __future__ import annotations

from typing import Final

LONGEST: Final = ("de", "fil", "fr")
"""The languages with the longest texts or words."""

TIGHT: Final = (*LONGEST, "ru", "zh-Hans")
"""The longest languages and one in each other script, for small screens."""
