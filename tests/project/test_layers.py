"""The house: base, members, services, doors. Each uses only what is below it, and nothing goes in circles."""

from graphlib import CycleError, TopologicalSorter

import pytest

from tests.project.imports import imports, modules

ROOMS = {
    "base": ["arrays", "exceptions", "given", "labels", "losses", "plain", "rows", "_core", "data", "record"],
    "learning": ["learning"],
    "members": ["linear", "kernel", "structured", "tagger", "parser", "neighbours"],
    "services": ["model_file", "stream", "encoding", "trace", "theory", "plot", "export", "comparison"],
    "doors": ["cli", "dask", "serve", "studio"],
}
LAYERS = list(ROOMS)
LAYER_OF = {room: LAYERS.index(layer) for layer, rooms in ROOMS.items() for room in rooms}
DOORS = LAYERS.index("doors")

MODULES = modules()
IMPORTS = {name: imports(path, MODULES) for name, path in MODULES.items()}

# Who may import what is not numpy: only when it is used, and only for that.
SKLEARN = {
    "rosenblatt.encoding.columns": "hashed text",
    "rosenblatt.learning.callbacks": "callbacks, for the doors of two members",
    "rosenblatt.cli.tune": "cross-validation",
    "rosenblatt.comparison.folds": "folds with the same shares of the classes",
    "rosenblatt.comparison.compare": "estimators of others, on the same folds",
    "rosenblatt.dask.on_cluster": "a copy of an estimator, for the doors of two members",
    "rosenblatt.export.sklearn_attributes": "a model for scikit-learn",
}


def room(name: str) -> str:
    parts = name.split(".")
    return parts[1] if len(parts) > 1 else ""


def layer(name: str) -> int:
    """The number of the layer that a module is in; the estimators of a room are doors, and so is the package."""
    if name in ("rosenblatt", "a public name") or name.endswith(".estimator"):
        return DOORS
    return LAYER_OF[room(name)]


def own(name: str) -> set[str]:
    """What a module imports of ours."""
    return {found for found in IMPORTS[name] if found.startswith("rosenblatt.") or found == "a public name"}


def test_every_module_is_in_a_room_that_has_a_layer() -> None:
    assert len(MODULES) > 100
    assert {room(name) for name in MODULES} - {""} <= set(LAYER_OF)


def test_the_root_is_small() -> None:
    assert len([name for name in MODULES if name.count(".") == 1 and MODULES[name].name != "__init__.py"]) < 10


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_down(name: str) -> None:
    above = {found for found in own(name) if layer(found) > layer(name)}
    assert above == set()


def test_members_do_not_know_each_other() -> None:
    members = set(ROOMS["members"])
    known = {
        (name, found)
        for name in MODULES
        if room(name) in members and layer(name) < DOORS
        for found in own(name)
        if room(found) in members - {room(name)}
    }
    assert known == set()


def test_the_command_line_asks_members_and_services() -> None:
    # What is scikit-learn's own work goes by public names.
    assert [name for name in MODULES if room(name) == "cli" and any(n.endswith(".estimator") for n in own(name))] == []
    asking = {name for name in MODULES if room(name) == "cli" and "a public name" in own(name)}
    assert asking <= {"rosenblatt.cli.tune", "rosenblatt.cli.model"}


def test_no_circles() -> None:
    graph = {name: own(name) - {"a public name", "rosenblatt"} for name in MODULES if name != "rosenblatt"}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"modules that import each other: {' -> '.join(error.args[1])}")


def test_no_circles_between_rooms() -> None:
    graph: dict[str, set[str]] = {}
    for name in MODULES:
        if name != "rosenblatt" and layer(name) < DOORS:
            graph.setdefault(room(name), set()).update(room(found) for found in own(name) - {"a public name"})
    try:
        TopologicalSorter({name: found - {name, ""} for name, found in graph.items()}).prepare()
    except CycleError as error:
        pytest.fail(f"rooms that import each other: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize("name", MODULES)
def test_who_may_import_scikit_learn(name: str) -> None:
    foreign = IMPORTS[name] & {"sklearn", "joblib", "pandas"}
    if name.endswith(".estimator"):
        assert "pandas" not in foreign
    else:
        assert foreign <= ({"sklearn"} if name in SKLEARN else set())


@pytest.mark.parametrize("name", [name for name in MODULES if layer(name) <= LAYERS.index("members")])
def test_base_and_members_need_numpy_alone(name: str) -> None:
    # scipy's matrices are given to those who ask for them; files of tables and compressed ones have libraries.
    given = {"rosenblatt.rows": {"scipy"}}
    assert not IMPORTS[name] & {"scipy", "click", "rich", "matplotlib"} - given.get(name, set())
