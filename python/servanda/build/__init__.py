"""Models built in Python, without writing text.

A :class:`Protocol` has roles, variables, commitments, control states, transitions and properties. Loops and parameters are Python's own. It
is written as Pact (:meth:`Protocol.to_pact`) and read by the one front end of that language, so that it means what such a text means; what is
wrong with it is told with the line of Python that added it.

Formulas are made with the functions ``AG``, ``EF``, ``K``, ``does`` and their kin; everywhere a text in the words of Pact will do as well.
What has no method of its own (``decompose``, ``param``, ``for``) is added with :meth:`Protocol.pact`.
"""

from ._expr import Expr, all_of, any_of, choose, expr, if_then_else, maximum, minimum
from ._formula import (
    AF,
    AG,
    AH,
    AX,
    AY,
    DK,
    EF,
    EG,
    EP,
    EX,
    EY,
    GCK,
    GK,
    KH,
    A,
    B,
    E,
    F,
    G,
    H,
    K,
    O,
    P,
    R,
    S,
    U,
    W,
    X,
    Y,
    active,
    can,
    does,
    so,
)
from ._parts import Act, Array, Channel, Commitment, Group, Label, Location, Message, Role, Type, Variable
from ._protocol import Protocol
from ._steps import Machine, Part

__all__ = [
    "A", "AF", "AG", "AH", "AX", "AY", "Act", "Array", "B", "Channel", "Commitment", "DK", "E", "EF", "EG", "EP", "EX", "EY", "Expr", "F", "G",
    "GCK", "GK", "Group", "H", "K", "KH", "Label", "Location", "Machine", "Message", "O", "P", "Part", "Protocol", "R", "Role", "S", "Type", "U",
    "Variable", "W", "X", "Y", "active", "all_of", "any_of", "can", "choose", "does", "expr", "if_then_else", "maximum", "minimum", "so",
]  # fmt: skip
