"""A theme: a board in the colours of old paper and ink."""

from sapper.drawing import THEMES, register

register(
    "paper",
    THEMES["light"].changed(
        "Old paper",
        # Unopened and opened cells, each in two tints for the checkered look.
        face="#d8c49a",
        face_2="#d0ba8c",
        open="#f6eeda",
        open_2="#f0e6cc",
        # The raised edges of the classic look.
        light="#f3e7c9",
        shade="#9c8352",
        grid="#c9b68a",
        # Ink.
        n1="#2f4f8f",
        n2="#3d6128",
        n3="#9c2f23",
        n4="#3b2f6b",
        flag="#9c2f23",
        pole="#4a3620",
        mine="#3a2a18",
        heat_0="#efe3c6",
        heat_9="#6b3d1e",
        heat_text="#2b1c0c",
    ),
)
