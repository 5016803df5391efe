'''Verification of communicating agents.

    >>> from servanda import Model
    >>> model = Model.from_text("""
    ... protocol Shop
    ... roles Customer, Merchant
    ... var paid : bool = false
    ... start waiting
    ... waiting -- Customer: pay set paid = true --> served
    ... property pays = AF paid
    ... """)
    >>> model.check().passed
    True
    >>> model.check("AG paid")[0].verdict
    <Verdict.FALSE: 'false'>

Models are read by :class:`Model` or built by :mod:`servanda.build`; logs are judged by :class:`Auditor`. While engines work other Python
threads run, and Ctrl-C ends them.
'''

from ._audit import Audit, AuditFinding, Auditor, AuditVerdict, LibraryEntry, LogLine, audit, library
from ._compare import (
    ActConformance,
    Comparison,
    Conformance,
    Converted,
    Difference,
    Duties,
    Duty,
    Minimised,
    conform,
    conform_to,
    convert,
    equiv,
    format,
    minimise,
    targets,
)
from ._errors import InputError, InternalError, ServandaError, Undecided
from ._evidence import Act, Claim, Event, Evidence, Place, Step
from ._examples import Example, examples
from ._findings import Finding
from ._model import Model, Property
from ._native import Progress, State, __version__, engines
from ._report import Explanation, Report, Result, Scenario, Size, Verdict
from ._sweep import SweepRow, sweep, sweep_rows
from ._walk import Graph, Run, Simulation, Transition

__all__ = [
    "Act",
    "ActConformance",
    "Audit",
    "AuditFinding",
    "AuditVerdict",
    "Auditor",
    "Claim",
    "Comparison",
    "Conformance",
    "Converted",
    "Difference",
    "Duties",
    "Duty",
    "Event",
    "Evidence",
    "Example",
    "Explanation",
    "Finding",
    "Graph",
    "InputError",
    "InternalError",
    "LibraryEntry",
    "LogLine",
    "Minimised",
    "Model",
    "Place",
    "Progress",
    "Property",
    "Report",
    "Result",
    "Run",
    "Scenario",
    "ServandaError",
    "Simulation",
    "Size",
    "State",
    "Step",
    "SweepRow",
    "Transition",
    "Undecided",
    "Verdict",
    "__version__",
    "audit",
    "conform",
    "conform_to",
    "convert",
    "engines",
    "equiv",
    "examples",
    "format",
    "library",
    "minimise",
    "sweep",
    "sweep_rows",
    "targets",
]
