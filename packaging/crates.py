"""What is compiled into the program, as cargo knows it."""
import json
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


def _cargo(*arguments):
    command = ["cargo", *arguments, "--locked"]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, encoding="utf-8").stdout


def compiled_in():
    """The packages that the program is made of, on whatever system; those that only build or test it are not in it.

    Each is as `cargo metadata` describes it, with `needs`, the names and versions of those that it needs; in the order of their names.
    """
    described = json.loads(_cargo("metadata", "--format-version", "1"))
    packages = {package["id"]: package for package in described["packages"]}
    needs = {
        node["id"]: [
            other["pkg"]
            for other in node["deps"]
            if any(kind["kind"] is None for kind in other["dep_kinds"]) and not _runs_in_the_compiler(packages[other["pkg"]])
        ]
        for node in described["resolve"]["nodes"]
    }
    program = next(key for key, package in packages.items() if package["name"] == "servanda")
    found, open_ = {program}, [program]
    while open_:
        for other in needs[open_.pop()]:
            if other not in found:
                found.add(other)
                open_.append(other)
    for key in found:
        packages[key]["needs"] = sorted((packages[other]["name"], packages[other]["version"]) for other in needs[key])
    return sorted((packages[key] for key in found), key=lambda package: (package["name"], package["version"]))


def _runs_in_the_compiler(package):
    return any("proc-macro" in target["kind"] for target in package["targets"])
