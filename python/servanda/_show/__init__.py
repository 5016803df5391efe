"""What notebooks show: reports as tables, evidence as message charts, graphs as drawings; in the notebook's own theme, dark or light."""

from __future__ import annotations

from collections.abc import Container

from ._audits import audit, audit_finding
from ._charts import MOST_STATES, drawing, evidence, explanation, fitting, graph, run
from ._reports import compared, model, report, result

__all__ = [
    "MOST_STATES",
    "Drawn",
    "Shown",
    "audit",
    "audit_finding",
    "compared",
    "drawing",
    "evidence",
    "explanation",
    "fitting",
    "graph",
    "model",
    "report",
    "result",
    "run",
]


class Shown:
    """What shows itself as HTML in a notebook, and as text elsewhere."""

    def _repr_html_(self) -> str:
        raise NotImplementedError

    def _repr_mimebundle_(
        self, include: Container[str] | None = None, exclude: Container[str] | None = None
    ) -> dict[str, str]:
        bundle = {"text/plain": str(self), "text/html": self._repr_html_()}
        if isinstance(self, Drawn) and (svg := self._repr_svg_()):
            bundle["image/svg+xml"] = svg
        return {
            kind: shown
            for kind, shown in bundle.items()
            if (include is None or kind in include) and (exclude is None or kind not in exclude)
        }


class Drawn(Shown):
    """What is a picture besides; empty where there is nothing to draw, or too much."""

    def _repr_svg_(self) -> str:
        raise NotImplementedError
