"""Graphs for networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._errors import missing

if TYPE_CHECKING:
    import networkx

    from ._walk import Graph

__all__ = ["to_networkx"]


def to_networkx(graph: Graph) -> networkx.MultiDiGraph[int]:
    """The graph for networkx: see :meth:`servanda.Graph.to_networkx`."""
    try:
        import networkx
    except ImportError as error:
        raise missing("networkx", "graphs for networkx", "networkx") from error
    made: networkx.MultiDiGraph[int] = networkx.MultiDiGraph(complete=graph.complete)
    initial = len(graph.initial)
    for number, state in enumerate(graph.states):
        attributes: dict[str, Any] = {
            "state": state,
            "label": str(state),
            "initial": number < initial,
            "variables": state.variables,
            "at": state.at,
            "in_force": state.in_force,
        }
        if channels := state.channels:
            attributes["channels"] = channels
        made.add_node(number, **attributes)
    made.add_edges_from((source, target, {"label": label}) for source, label, target in graph.edges)
    return made
