"""Stateright: our models as Rust code, in one program that is compiled for the occasion (that is not counted). One thread counts states."""
import os
import pathlib
import re
import shutil

from .. import measure
from ..processes import C_WORDS, spell, translate
from . import program, total

NAME = "Stateright"
SOURCE = pathlib.Path(__file__).resolve().parent / "stateright"


def find():
    """It is a library, so what it takes is cargo, and the wish to wait for it."""
    return program("CARGO", "cargo") if os.environ.get("STATERIGHT") != "no" else None


def describe(found):
    said = re.search(r'^stateright = "=?([\d.]+)"', (SOURCE / "Cargo.toml").read_text(), re.MULTILINE)
    return said[1] if said else ""


def takes(case, task):
    return case.model is not None and task == "states"


def text(model):
    """One module."""
    places = {process: model.places(process) for process in model.starts}
    where = lambda process, name: f"s.{process} == {places[process].index(name)}"

    def expression(text):
        text = translate(text, lambda process, name: f"@{process}@{places[process].index(name)}@", C_WORDS)
        text = re.sub(r"(?<![@\w])([a-zA-Z_]\w*)", lambda found: found[0] if found[0] in ("true", "false") else f"s.{found[0]}", text)
        return re.sub(r"@(\w+)@(\d+)@", r"s.\1 == \2", text)

    fields, first = [], []
    for process in places:
        fields.append(f"{process}: u8")
        first.append(f"{process}: 0")
    for name, value in model.variables.items():
        kind, begins = ("bool", spell(value)) if isinstance(value, bool) else ("i8", value[2])
        fields.append(f"{name}: {kind}")
        first.append(f"{name}: {begins}")
    guards, effects = [], []
    for number, step in enumerate(model.steps):
        guard = " && ".join([where(who, source) for who, source, _ in step.moves] + [f"({expression(step.guard)})"])
        guards.append(f"if {guard} {{ actions.push({number}); }}")
        sets = [f"n.{who} = {places[who].index(target)};" for who, source, target in step.moves if source != target]
        sets += [f"n.{name} = {expression(value)};" for name, value in step.updates]
        effects.append(f"{number} => {{ {' '.join(sets)} }}")
    return f"""
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {{ {', '.join(fields)} }}
pub struct Family;
impl stateright::Model for Family {{
    type State = State;
    type Action = u16;
    fn init_states(&self) -> Vec<State> {{ vec![State {{ {', '.join(first)} }}] }}
    fn actions(&self, s: &State, actions: &mut Vec<u16>) {{ {' '.join(guards)} }}
    fn next_state(&self, s: &State, action: u16) -> Option<State> {{
        let mut n = s.clone();
        match action {{ {', '.join(effects)}, _ => unreachable!() }}
        Some(n)
    }}
    fn properties(&self) -> Vec<stateright::Property<Self>> {{ vec![stateright::Property::always("all", |_, _| true)] }}
}}
"""


def prepare(found, cases, folder):
    """Compiles the models of all cases; says what went wrong, if something did."""
    project = folder / "stateright"
    shutil.copytree(SOURCE, project, dirs_exist_ok=True)
    names = [case.name.replace("-", "_") for case in cases]
    for name, case in zip(names, cases):
        (project / "src" / f"{name}.rs").write_text("#![allow(warnings)]\n" + text(case.model))
    arms = "".join(f'        "{name}" => count({name}::Family),\n' for name in names)
    main = (project / "src" / "main.rs").read_text()
    main = main.replace("// MODULES", "\n".join(f"mod {name};" for name in names)).replace("        // FAMILIES\n", arms)
    (project / "src" / "main.rs").write_text(main)
    environment = {**os.environ, "CARGO_TARGET_DIR": str(project / "target")}
    made = measure.run([found, "build", "--release", "--quiet"], 600, cwd=project, env=environment)
    return "" if made.status == 0 else made.errors[-1000:]


def ask(found, case, task, folder, limit):
    run = measure.run([folder / "stateright" / "target" / "release" / "families", case.name.replace("-", "_")], limit)
    return total([run], int(run.output) if run.ended and run.output.strip().isdigit() else None, run.errors[-200:])
