"""What is worth telling about a text or a model, with its place."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["Finding"]

_EXPECTED = re.compile(r"^expected (?P<expected>.+), found .+$", re.DOTALL)
_MEANT = re.compile(r"^did you mean `?(?P<name>[^`]+?)`?\?$")


@dataclass(frozen=True)
class Finding:
    """An error, a warning or a note, with the place it is about.

    Lines and columns count from 1, columns count characters, and the end is the place just after the last character. What is about a model
    as a whole has no place.
    """

    severity: str
    """``error``, ``warning`` or ``note``."""
    code: str
    """A stable name, which is also that of its page in ``docs/errors``."""
    message: str
    """One sentence without a full stop."""
    file: str | None = None
    """The file, or the name of the text; for what was built in Python the Python file."""
    line: int | None = None
    """The line where it begins."""
    column: int | None = None
    """The column where it begins."""
    end_line: int | None = None
    """The line where it ends."""
    end_column: int | None = None
    """The column where it ends."""
    detail: str | None = None
    """What is to be said at the place itself."""
    help: str | None = None
    """What to do about it."""
    more: str = ""
    """Further lines, mostly none."""
    rendered: str = ""
    """The finding as the command line shows it, with the text underlined."""

    @property
    def expected(self) -> str | None:
        """What could have stood at the place, where the finding is that something else does."""
        found = _EXPECTED.match(self.message)
        return found["expected"] if found else None

    @property
    def suggestion(self) -> str | None:
        """The nearest valid name, where there is one."""
        found = _MEANT.match(self.help or "")
        return found["name"] if found else None

    def __str__(self) -> str:
        return self.rendered or f"{self.severity}[{self.code}]: {self.message}"
