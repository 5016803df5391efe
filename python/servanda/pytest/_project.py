"""Projects: what ``servanda.toml`` says is to be checked, and how."""

from __future__ import annotations

import difflib
import itertools
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import UnionType
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["PROJECT", "Asked", "ProjectError", "lists", "read", "seconds"]

PROJECT = "servanda.toml"

_SETTINGS: dict[str, type | UnionType] = {
    "engine": str,
    "level": str,
    "threads": int,
    "timeout": str,
    "memory": str,
    "acts": str,
    "deadlock": str,
    "past": str,
    "recall": int,
    "uniform": bool | str,
    "validity": str,
}
_OF_MODEL: dict[str, type | UnionType] = {
    "file": str,
    "input": str,
    "process": str,
    "acts-file": str,
    "params": dict,
    "properties": list,
    "formulas": dict,
    "expect": dict,
    **_SETTINGS,
}
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


class ProjectError(ValueError):
    """A project that has no meaning; all that is wrong with it, a line each."""


@dataclass(frozen=True)
class Asked:
    """One model under one setting of its parameters, and what is asked about it."""

    file: Path
    reading: Mapping[str, Any] = field(default_factory=dict)
    """How it is read: the arguments of ``Model.from_file``."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How it is decided: the arguments of ``Model.check``."""
    properties: tuple[str, ...] | None = None
    """The properties; ``None``: all that the model declares."""
    formulas: Mapping[str, str] = field(default_factory=dict)
    expect: Mapping[str, bool] = field(default_factory=dict)
    """The verdicts that are wanted, whatever the model says."""


def seconds(time: str) -> float:
    """``500ms``, ``60s``, ``2m`` and ``1h`` as seconds."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(ms|s|m|h)?\s*", time)
    if found is None:
        raise ValueError(f"{time!r} is no time, such as 500ms, 60s, 2m or 1h")
    return float(found[1]) * _UNITS[found[2] or "s"]


def read(path: Path) -> list[Asked]:
    """What a project asks.

    :raises ProjectError: everything that is wrong with it
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ProjectError(f"{path}: {error}") from error
    wrong: list[str] = []
    _known(data, {"options": dict, "model": list}, "", wrong)
    options, models = data.get("options", {}), data.get("model", [])
    if isinstance(options, dict):
        _known(options, _SETTINGS, "[options] ", wrong)
    asked: list[Asked] = []
    for number, model in enumerate(models if isinstance(models, list) else [], 1):
        where = f"[[model]] {number}: "
        if not isinstance(model, dict) or "file" not in model:
            wrong.append(f"{where}the key `file` must be there")
            continue
        before = len(wrong)
        _known(model, _OF_MODEL, where, wrong)
        if len(wrong) == before and isinstance(options, dict):
            try:
                asked += _settings_of(model, options, path.parent)
            except ValueError as error:
                wrong.append(f"{where}{error}")
    if wrong:
        raise ProjectError("\n".join(f"{path}: {one}" for one in wrong))
    return asked


def _known(table: Mapping[str, Any], keys: Mapping[str, type | UnionType], where: str, wrong: list[str]) -> None:
    for key, value in table.items():
        if key not in keys:
            near = difflib.get_close_matches(key, keys, 1)
            wrong.append(f"{where}there is no key `{key}`" + (f"; did you mean `{near[0]}`?" if near else ""))
        elif not isinstance(value, keys[key]) or (keys[key] is int and isinstance(value, bool)):
            wanted = getattr(keys[key], "__name__", "bool")
            wrong.append(f"{where}`{key}` is no {wanted}: {value!r}")


def _settings_of(model: Mapping[str, Any], options: Mapping[str, Any], directory: Path) -> Iterator[Asked]:
    settings = {key: value for key, value in {**options, **model}.items() if key in _SETTINGS}
    if "timeout" in settings:
        settings["timeout"] = seconds(settings["timeout"])
    reading = {
        argument: model[key] for key, argument in (("input", "language"), ("process", "process")) if key in model
    }
    if "acts-file" in model:
        reading["acts"] = directory / model["acts-file"]
    formulas: dict[str, str] = {}
    expect: dict[str, bool] = {}
    for name, formula in model.get("formulas", {}).items():
        asked = {"formula": formula} if isinstance(formula, str) else formula
        if (
            not isinstance(asked, dict)
            or not isinstance(asked.get("formula"), str)
            or set(asked) - {"formula", "expect"}
        ):
            raise ValueError(f"`formulas.{name}` is neither a formula nor a table with `formula` and `expect`")
        formulas[name] = asked["formula"]
        expect |= {name: asked["expect"]} if "expect" in asked else {}
    expect |= model.get("expect", {})
    if odd := [name for name, wanted in expect.items() if not isinstance(wanted, bool)]:
        raise ValueError(f"`expect.{odd[0]}` is neither true nor false")
    properties = tuple(model["properties"]) if "properties" in model else None
    params = {name: _values(name, value) for name, value in model.get("params", {}).items()}
    for values in itertools.product(*params.values()):
        setting = dict(zip(params, values, strict=True))
        yield Asked(directory / model["file"], {**reading, "params": setting}, settings, properties, formulas, expect)


def _values(name: str, value: object) -> list[int]:
    """``3``, ``[2, 4]`` and ``"2..8"``."""
    if isinstance(value, str):
        parts = [part.strip() for part in value.split(",")]
        found = [re.fullmatch(r"(-?\d+)(?:\.\.(-?\d+))?", part) for part in parts]
        ranges = [range(int(one[1]), int(one[2] or one[1]) + 1) for one in found if one is not None]
        if len(ranges) == len(parts) and all(ranges):
            return [number for one in ranges for number in one]
    values = value if isinstance(value, list) else [value]
    if values and all(isinstance(one, int) and not isinstance(one, bool) for one in values):
        return list(values)
    raise ValueError(f'`params.{name}` is no number, list of numbers or range such as "2..8": {value!r}')


@lru_cache(maxsize=256)
def _files(project: Path) -> frozenset[Path]:
    try:
        return frozenset(one.file.resolve() for one in read(project))
    except ProjectError:
        # It is told where the project itself is collected.
        return frozenset()


def lists(file: Path, root: Path) -> bool:
    """Does a project between the file and the root list it?"""
    for directory in file.resolve().parents:
        project = directory / PROJECT
        if project.is_file() and file.resolve() in _files(project):
            return True
        if directory == root.resolve():
            break
    return False
