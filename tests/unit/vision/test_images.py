"""Pictures from files with any content."""

import io
import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from sapper.vision import NoBoard, load
from sapper.vision.images import MOST_PIXELS


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def test_too_large_picture_is_rejected_before_decoding(tmp_path: Path) -> None:
    """The header claims 100,000 by 100,000 pixels, but no pixel data follows."""
    header = struct.pack(">IIBBBBB", 100_000, 100_000, 8, 2, 0, 0, 0)
    path = tmp_path / "large.png"
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", zlib.compress(b""))
    )
    with pytest.raises(NoBoard):
        load(path)


def test_the_limit_is_in_the_message(tmp_path: Path) -> None:
    """The picture is just above Sapper's limit, but Pillow would decode it."""
    path = tmp_path / "large.png"
    Image.new("1", (MOST_PIXELS // 1000 + 1, 1000)).save(path)
    with pytest.raises(NoBoard, match="at most 40,000,000 are read"):
        load(path)


def test_text_bomb_is_rejected(tmp_path: Path) -> None:
    """A zTXt chunk of a few kilobytes expands to megabytes."""
    text = PngInfo()
    text.add_text("bomb", "0" * 10_000_000, zip=True)
    file = io.BytesIO()
    Image.new("RGB", (2, 2)).save(file, "PNG", pnginfo=text)
    path = tmp_path / "bomb.png"
    path.write_bytes(file.getvalue())
    with pytest.raises(NoBoard):
        load(path)


def test_truncated_file_is_reported(tmp_path: Path) -> None:
    """The error used to consist only of Pillow's message."""
    path = tmp_path / "half.png"
    file = io.BytesIO()
    Image.effect_noise((40, 40), 50).save(file, "PNG")
    path.write_bytes(file.getvalue()[:900])
    with pytest.raises(
        NoBoard, match=r"cannot read picture '.*half\.png': image file is truncated"
    ):
        load(path)
