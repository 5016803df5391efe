"""What goes wrong."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ._findings import Finding

if TYPE_CHECKING:
    from ._evidence import Relocation
    from ._native import Checked
    from ._report import Report

__all__ = ["InputError", "InternalError", "ServandaError", "Undecided"]


class ServandaError(Exception):
    """Anything that this package raises of its own."""


class InputError(ServandaError, ValueError):
    """A text, a formula, a mapping or a parameter has no meaning.

    All that is wrong is found in one pass; ``str()`` shows the places underlined.
    """

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings: list[Finding] = list(findings)
        """Everything that is wrong, in the order of the text, with what else is worth telling."""
        super().__init__("\n".join(str(finding).rstrip("\n") + "\n" for finding in self.findings).rstrip("\n"))

    _checked: Checked | None = None
    _relocation: Relocation | None = None

    @property
    def report(self) -> Report | None:
        """What was decided before a fault of the model was met, and stands; ``None`` where nothing was asked yet."""
        from ._report import Report

        return None if self._checked is None else Report(self._checked, self._relocation)

    def __reduce__(self) -> tuple[type[InputError], tuple[list[Finding]]]:
        return type(self), (self.findings,)


class Undecided(ServandaError):
    """A limit was reached before there was an answer. Where there is a report this is no exception but a verdict."""


class InternalError(ServandaError, RuntimeError):
    """A mistake of Servanda itself; please report it."""

    def __init__(self, words: str) -> None:
        super().__init__(f"internal error: {words}; this is a mistake of servanda, please report it")
        self.words = words

    def __reduce__(self) -> tuple[type[InternalError], tuple[str]]:
        return type(self), (self.words,)


def missing(package: str, what: str, extra: str) -> ImportError:
    """What is said where an optional package is not there."""
    return ImportError(f"{what} need {package}: install it, or `servanda[{extra}]`", name=package)
