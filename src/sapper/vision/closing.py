"""Base class of resources that must be closed: a display, a program, a game in one of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

__all__ = ["Closing"]


class Closing(ABC):
    """A resource that is closed at the end of its ``with`` block."""

    @abstractmethod
    def close(self) -> None:
        """Release the resource."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
