"""QR codes of room links."""

from __future__ import annotations

from io import BytesIO
from typing import Final

__all__ = ["qr_code"]

_QUIET_ZONE: Final = 4
"""The width of the white border in modules, as the standard requires."""


def qr_code(url: str) -> bytes:
    """Return the QR code of a URL as an SVG file without scripts or styles.

    It is black on white in every theme, because many phones cannot read inverted codes.
    """
    # Imported here because most servers never need it.
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
