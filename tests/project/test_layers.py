"""The house: base, members, services, doors. A folder imports what lies below it, and nothing goes in circles."""

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.project.imports import imports, modules

LAYERS = ["base", "members", "services", "doors"]
# Beside the layers' folders: the idea, the core, the data sets that ship, and two doors by the names that people know.
PLACES = {
    "plain": "base",
    "plain_text": "base",
    "losses": "base",
    "_core": "base",
    "data": "services",
    "dask": "doors",
    "serve": "doors",
    "__main__": "doors",
}

MEMBERS = ("linear", "kernel", "structured", "neighbours", "sentences")

MODULES = modules()
IMPORTS = {name: imports(path, MODULES) for name, path in MODULES.items()}

# Who may import what is not numpy: only when it is used, and only for that.
SKLEARN = {
    "rosenblatt.services.files.encoding.columns": "hashed text",
    "rosenblatt.doors.cli.choosing": "cross-validation",
    "rosenblatt.services.comparison.candidates": "folds with the same shares of the classes",
    "rosenblatt.services.comparison.compare": "estimators of others, on the same folds",
    "rosenblatt.doors.dask.on_cluster": "a copy of an estimator, for the doors of two members",
    "rosenblatt.services.export.linear": "a model for scikit-learn",
}
SCIPY = {"rosenblatt.base.rows": "scipy's matrices are given to those who ask for them"}


def layer(name: str) -> int:
    """The number of the layer that a module is in: that of its folder. The package itself is on top."""
    folder = f"{name}.".split(".")[1]
    return LAYERS.index(PLACES.get(folder, folder)) if folder and name != "a public name" else len(LAYERS)


def room(name: str) -> str:
    """The folder of a layer, such as services.files; a member knows its own room and what all members share."""
    return ".".join(name.split(".")[1:3])


def ours(name: str) -> set[str]:
    """What a module imports of the package. `import rosenblatt` alone imports nothing."""
    return {known for known in IMPORTS[name] if known.startswith("rosenblatt.") or known == "a public name"}


@pytest.mark.parametrize("name", [name for name in MODULES if name != "rosenblatt"])
def test_a_folder_imports_what_lies_below_it(name: str) -> None:
    assert {known for known in ours(name) if layer(known) > layer(name)} == set()


def test_the_root_is_small() -> None:
    assert {name.split(".")[1] for name in MODULES if "." in name} == {*LAYERS, *PLACES} - {"_core"}


def test_members_do_not_know_each_other() -> None:
    own = {name: room(name).removeprefix("members.") for name in MODULES if room(name).startswith("members.")}
    known = {(own[name], own[other]) for name in own for other in ours(name) if other in own}
    assert {(one, other) for one, other in known if one != other and {one, other} <= set(MEMBERS)} == set()


def circle(of: Callable[[str], str]) -> list[str]:
    graph: dict[str, set[str]] = {}
    for name in MODULES:
        below = {of(other) for other in ours(name) if other != "a public name" and other in MODULES}
        graph.setdefault(of(name), set()).update(below - {of(name)})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other() -> None:
    assert circle(lambda name: name) == []


def test_no_rooms_of_services_and_doors_import_each_other() -> None:
    assert circle(lambda name: room(name) if layer(name) >= LAYERS.index("services") else "below") == []


@pytest.mark.parametrize("name", MODULES)
def test_who_may_import_scikit_learn(name: str) -> None:
    foreign = IMPORTS[name] & {"sklearn", "joblib", "pandas"}
    if name.startswith("rosenblatt.doors.sklearn.") or name.endswith(".estimator"):
        assert "pandas" not in foreign
    else:
        assert foreign <= ({"sklearn"} if name in SKLEARN else set())


@pytest.mark.parametrize("name", [name for name in MODULES if layer(name) <= LAYERS.index("members")])
def test_base_and_members_need_numpy_alone(name: str) -> None:
    assert not IMPORTS[name] & {"scipy", "click", "rich", "matplotlib"} - ({"scipy"} if name in SCIPY else set())
