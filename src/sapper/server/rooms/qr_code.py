"""QR codes of rooms' links."""

from __future__ import annotations

from io import BytesIO
from typing import Final

__all__ = ["qr_code"]

_QUIET_ZONE: Final = 4
"""The width of the white border in modules, as the standard demands."""


def qr_code(url: str) -> bytes:
    """Return the QR code of a URL as an SVG file, without scripts and styles.

    It is black on white in every theme, because many phones cannot read the reverse.
    """
    # Most servers are never asked for one.
    import segno

    file = BytesIO()
    segno.make(url, error="m", micro=False).save(
        file,
        kind="svg",
        xmldecl=False,
        svgclass=None,
        lineclass=None,
        light="#fff",
        border=_QUIET_ZONE,
        omitsize=True,
    )
    return file.getvalue()
