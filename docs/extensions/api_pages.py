"""The pages of the Python reference, one a public name and one a public submodule, which autodoc fills.

A class has its methods on its page, those that it has from scikit-learn by name alone. A module has its functions. The
page of a function has the class of what it returns, where that is not public itself.
"""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from write_pages import write_pages

import rosenblatt

# What users are told to import, beside the public names.
SUBMODULES = (
    "rosenblatt.dask",
    "rosenblatt.data.lectures",
    "rosenblatt.data.sentences",
    "rosenblatt.data.treebank",
    "rosenblatt.members.stopping",
    "rosenblatt.members.sentences.parser.templates",
    "rosenblatt.serve",
    "rosenblatt.members.sentences.tagger.templates",
    "rosenblatt.data.experts",
)
BESIDE = {
    "rosenblatt.dask": ("rosenblatt.doors.dask.linear.fit.RoundPlace",),
    "rosenblatt.Perceptron": ("rosenblatt.members.run.Pass", "rosenblatt.services.stream.fit.BlockPlace"),
    "rosenblatt.SequenceTagger": ("rosenblatt.members.sentences.tagger.templates.FileColumns",),
    "rosenblatt.DependencyParser": ("rosenblatt.members.sentences.parser.model.Trees",),
    "rosenblatt.TextPipeline": (
        "rosenblatt.services.text.documents.Document",
        "rosenblatt.services.text.documents.Sentence",
        "rosenblatt.services.text.documents.Token",
        "rosenblatt.services.text.documents.Word",
    ),
    "rosenblatt.StructuredPerceptron": ("rosenblatt.members.structured.features.Weights",),
    "rosenblatt.Comparison": (
        "rosenblatt.services.comparison.compare.Line",
        "rosenblatt.services.comparison.confusion.Majority",
    ),
    "rosenblatt.check_run": ("rosenblatt.services.proofs.check_run.RunCheck",),
    "rosenblatt.conlleval": (
        "rosenblatt.services.sentences.scores.ChunkScores",
        "rosenblatt.services.sentences.scores.ChunkCounts",
    ),
    "rosenblatt.attachment_scores": (
        "rosenblatt.services.sentences.treebank_scores.ParseScores",
        "rosenblatt.services.sentences.treebank_scores.Score",
        "rosenblatt.services.sentences.treebank_scores.Count",
    ),
    "rosenblatt.draw_tree": ("rosenblatt.services.lessons.plot.tree.TreePicture",),
    "rosenblatt.TextClassifier": (
        "rosenblatt.members.linear.text.reasons.Reason",
        "rosenblatt.members.linear.text.reasons.Reasons",
    ),
    "rosenblatt.trace": (
        "rosenblatt.services.lessons.trace.data.Trace",
        "rosenblatt.services.lessons.trace.data.Frame",
    ),
    "rosenblatt.trace_kernel": ("rosenblatt.services.lessons.trace.kernel.KernelTrace",),
    "rosenblatt.online": ("rosenblatt.doors.sklearn.online.Round",),
    "rosenblatt.read_conll": ("rosenblatt.services.files.conll.Sentences",),
    "rosenblatt.serve": (
        "rosenblatt.doors.serve.client.Learned",
        "rosenblatt.doors.serve.client.Logged",
        "rosenblatt.doors.serve.client.Prediction",
    ),
    "rosenblatt.read_table": ("rosenblatt.services.files.table.Table", "rosenblatt.services.files.text_column.Coded"),
}
# What the package calls, and no user.
OWN_USE = {"as_record", "corpus", "from_record", "of_claims", "of_numbers", "written_as"}


def names() -> list[str]:
    """The full names that have a page."""
    return [f"rosenblatt.{name}" for name in rosenblatt.__all__] + list(SUBMODULES)


def named(full_name: str) -> Any:
    """What has this name."""
    if full_name in SUBMODULES:
        return import_module(full_name)
    module, _, name = full_name.rpartition(".")
    return getattr(import_module(module), name)


def members(module: ModuleType) -> list[str]:
    """The public names of a module: those that it lists, or else what it defines, in the order of its text."""
    listed = getattr(module, "__all__", None)
    own = [name for name, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
    return list(listed) if listed is not None else [name for name in own if not name.startswith("_")]


def methods(cls: type) -> tuple[list[str], list[str]]:
    """The public methods of a class that are ours, and those that are scikit-learn's."""
    found: dict[str, list[str]] = {"rosenblatt": [], "sklearn": []}
    for name in dir(cls):
        home = next(one for one in cls.__mro__ if name in vars(one))
        is_method = callable(getattr(cls, name, None)) and not name.startswith("_") and name not in OWN_USE
        origin = getattr(getattr(cls, name, None), "__module__", home.__module__)
        package = "sklearn" if name.endswith("_request") else str(origin).partition(".")[0]
        if is_method and package in found:
            found[package].append(name)
    return found["rosenblatt"], found["sklearn"]


def entry(full_name: str, thing: Any, *, made_by_us: bool = False) -> Iterator[str]:
    """What autodoc is to show, and of a class its methods; its constructor, unless it is made by us."""
    if not callable(thing):
        yield from (f".. autodata:: {full_name}", "   :no-value:", "")
        return
    if not isinstance(thing, type):
        yield from (f".. autofunction:: {full_name}", "")
        return
    ours, theirs = methods(thing)
    yield f".. auto{'exception' if issubclass(thing, Exception) else 'class'}:: {full_name}{'()' if made_by_us else ''}"
    yield from ([f"   :members: {', '.join(ours)}"] if ours else [])
    yield from (["", f"   As scikit-learn has them: {', '.join(f'``{name}``' for name in theirs)}."] if theirs else [])
    yield ""


def page(full_name: str) -> Iterator[str]:
    """The lines of its page."""
    thing = named(full_name)
    title = full_name.removeprefix("rosenblatt.")
    yield from (title, "=" * len(title), "")
    if isinstance(thing, ModuleType):
        yield from (f".. py:module:: {full_name}", "", f".. automodule:: {thing.__name__}", "   :no-index:", "")
        for name in members(thing):
            yield from entry(f"{full_name}.{name}", getattr(thing, name))
    else:
        yield from entry(full_name, thing)
    for other in BESIDE.get(full_name, ()):
        yield from entry(other, named(other), made_by_us=True)
    yield from (f".. minigallery:: {full_name}", "   :add-heading: Pictures with it", "")


def write(app: Any) -> None:
    """All pages."""
    write_pages(Path(app.srcdir, "reference/api"), {f"{name}.rst": "\n".join(page(name)) for name in names()})


def setup(app: Any) -> dict[str, bool]:
    """For Sphinx."""
    app.connect("builder-inited", write)
    return {"parallel_read_safe": True}
