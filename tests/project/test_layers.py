"""The house: base, members, services, doors. A folder imports what lies below it, and nothing goes in circles."""

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter

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
# Who may import scikit-learn besides its door: only when it is used, and only for that.
SKLEARN = {
    "rosenblatt.doors.cli.choosing": "cross-validation",
    "rosenblatt.services.comparison.candidates": "folds with the same shares of the classes",
    "rosenblatt.services.comparison.compare": "estimators of others, on the same folds",
    "rosenblatt.doors.dask.on_cluster": "a copy of an estimator, for the doors of two members",
    "rosenblatt.services.export.linear": "a model for scikit-learn",
}
SCIPY = {"rosenblatt.base.rows": "scipy's matrices are given to those who ask for them"}

MODULES = modules()
IMPORTS = {name: imports(path, MODULES) for name, path in MODULES.items()}
Imports = dict[str, set[str]]


def layer(name: str) -> int:
    """The number of the layer that a module of ours is in: that of its folder. The package itself is on top."""
    folder = f"{name}.".split(".")[1]
    return LAYERS.index(PLACES.get(folder, folder)) if folder and name != "a public name" else len(LAYERS)


def room(name: str) -> str:
    """The folder of a layer, such as services.files."""
    return ".".join(name.split(".")[1:3])


def ours(imported: set[str]) -> set[str]:
    """What is imported of the package. `import rosenblatt` alone imports nothing."""
    return {name for name in imported if name.startswith("rosenblatt.") or name == "a public name"}


def upward(graph: Imports) -> list[tuple[str, str]]:
    """The imports of what lies above."""
    return [(name, known) for name in graph for known in ours(graph[name]) if layer(known) > layer(name)]


def between_members(graph: Imports) -> list[tuple[str, str]]:
    """The imports of a member by another: a member knows its own room and what all members share."""
    rooms = {f"members.{member}" for member in MEMBERS}
    pairs = [(name, known) for name in graph for known in ours(graph[name])]
    return [
        pair for pair in pairs if len({room(name) for name in pair}) == 2 and {room(name) for name in pair} <= rooms
    ]


def circle(graph: Imports, of: Callable[[str], str]) -> list[str]:
    """Modules, or groups of them, that import each other."""
    below: Imports = {}
    for name in graph:
        below.setdefault(of(name), set()).update({of(known) for known in ours(graph[name]) & {*graph}} - {of(name)})
    try:
        TopologicalSorter(below).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def room_of_a_service_or_door(name: str) -> str:
    return room(name) if layer(name) >= LAYERS.index("services") else "below"


def test_a_folder_imports_what_lies_below_it() -> None:
    assert upward({name: known for name, known in IMPORTS.items() if name != "rosenblatt"}) == []
    assert {name.split(".")[1] for name in MODULES if "." in name} == {*LAYERS, *PLACES} - {"_core"}


def test_members_do_not_know_each_other() -> None:
    assert between_members(IMPORTS) == []


def test_nothing_goes_in_circles() -> None:
    assert circle(IMPORTS, lambda name: name) == []
    assert circle(IMPORTS, room_of_a_service_or_door) == []


def test_a_planted_violation_is_seen() -> None:
    base, door, stream, files = (
        f"rosenblatt.{name}" for name in ("base.rows", "doors.cli", "services.stream", "services.files")
    )
    linear, kernel = "rosenblatt.members.linear.model", "rosenblatt.members.kernel.model"
    assert upward({base: {"numpy", door}, door: {base}}) == [(base, door)]
    assert upward({base: {"a public name"}}) == [(base, "a public name")]
    assert between_members({linear: {kernel, "rosenblatt.members.model"}}) == [(linear, kernel)]
    assert sorted({*circle({files: {stream}, stream: {files}}, room_of_a_service_or_door)}) == [
        room(files),
        room(stream),
    ]


def test_who_may_import_scikit_learn() -> None:
    foreign = {name: known & {"sklearn", "joblib", "pandas"} for name, known in IMPORTS.items()}
    doors = {name for name in foreign if name.startswith("rosenblatt.doors.sklearn.") or name.endswith(".estimator")}
    assert {name for name in foreign if foreign[name] and name not in doors} == {*SKLEARN}
    assert {
        name for name in foreign if foreign[name] - {"sklearn"} and ("pandas" in foreign[name] or name not in doors)
    } == set()


def test_base_and_members_need_numpy_alone() -> None:
    foreign = {name: known & {"scipy", "click", "rich", "matplotlib"} for name, known in IMPORTS.items()}
    below = {name for name in foreign if foreign[name] and layer(name) <= LAYERS.index("members")}
    assert below == {*SCIPY}
    assert all(foreign[name] == {"scipy"} for name in below)
