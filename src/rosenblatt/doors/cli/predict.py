"""`rosenblatt predict` and `evaluate`: the answers of a model, how often they are wrong, and for which classes."""

import json
from collections.abc import Iterator
from contextlib import suppress
from functools import reduce
from operator import add
from typing import Any

import click

from rosenblatt.base.numbers import short_text
from rosenblatt.doors.cli.command import WithExamples, align, always, as_json, output, print_json, write, writing
from rosenblatt.doors.cli.data_file import file_argument, reads_like_the_model
from rosenblatt.doors.cli.model import load_model, model_argument
from rosenblatt.services.files.reading import Reading
from rosenblatt.services.files.schema import Schema


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt predict model.safetensors new.svm
        rosenblatt predict model.safetensors new.svm --scores -o answers.txt
        rosenblatt predict and.safetensors and.csv --top-k 2
        rosenblatt predict and.safetensors and.csv --json
    """,
)
@model_argument()
@file_argument()
@click.option(
    "--scores",
    is_flag=True,
    help="Add scores after tabs, under a line of names: with two classes the score of the second one, with more the "
    "score of each.",
)
@click.option(
    "--probabilities",
    is_flag=True,
    help="Add the probability of each label after tabs, under a line of names. The model needs probabilities: models "
    "of texts have them, others with train --probabilities.",
)
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1),
    metavar="P",
    help="Answer only where the label has a probability of P or more; else the label is empty, and null in JSON.",
)
@click.option(
    "--top-k",
    type=click.IntRange(1),
    metavar="K",
    help="Write the K best labels, best first, each with its probability after a tab (its score, if the model has no "
    "probabilities). With --threshold, those that reach it.",
)
@output("Where the labels go.  [default: stdout]")
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object.")
@reads_like_the_model
def predict(model: str, file: str, files: Reading, output: str, as_json: bool, **beside: Any) -> None:
    """Print the label that MODEL gives each row of FILE.

    A linear unit (train --unit) gives a number. FILE may be larger than memory. Labels in it are ignored; a table needs
    no label column. If MODEL was trained on a table, columns are found by name and become features as they did then. If
    FILE has no rows, nothing is printed. Rows from a pipe that stays open are answered at once, line by line, except
    svmlight text for a model that does not know how it counts columns: see --zero-based.
    """
    classifier, known = load_model(model, numbers=True)
    rows = rows_like_the_model(known, file, files)
    if known.classes is None:
        for name, value in beside.items():
            if value:
                raise click.UsageError(f"{_option(name)}: the answers of a {classifier.kind} are numbers as they are")
        named, columns = [], ["numbers"]
        blocks: Iterator[dict[str, list[Any]]] = ({"numbers": classifier.predict(X).tolist()} for X in rows)
    else:
        answers = _Answers(classifier, known, model, **beside)
        named, columns = answers.named, answers.columns
        blocks = (answers.of(classifier.decision(X)) for X in rows)
    if as_json:
        classes = {} if known.classes is None else {"classes": known.classes.tolist()}
        result: dict[str, Any] = {"schema": 1, **classes, **({f"{columns[-1]}_for": named} if named else {})}
        result |= {name: [] for name in columns}
        for block in blocks:
            for name, values in block.items():
                result[name] += values
        write(output, json.dumps(result) + "\n")
        return
    join = None if known.classes is None else getattr(classifier, "separator", None)
    with writing(output) as put:
        if named:
            put("\t".join(["label", *map(label_text, named)]) + "\n")
        for block in blocks:
            if join is not None:
                block["labels"] = [join.join(map(label_text, labels)) for labels in block["labels"]]
            put("".join(_lines(*block.values())))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


class _Answers:
    """What is written of each row: its label, and what was asked for beside it."""

    def __init__(
        self,
        classifier: Any,
        known: Schema,
        model: str,
        *,
        scores: bool,
        probabilities: bool,
        threshold: float | None,
        top_k: int | None,
    ) -> None:
        asked = {"scores": scores, "probabilities": probabilities, "top_k": top_k is not None}
        options = [_option(name) for name, value in asked.items() if value]
        if len(options) > 1:
            raise click.UsageError(f"{', '.join(options)}: expected one of them, found {len(options)}")
        if (probabilities or threshold is not None) and classifier.calibration is None:
            raise ValueError(
                f"{model}: expected a model with probabilities, found a {classifier.kind} with scores alone"
            )
        self.classifier, self.threshold, self.top_k = classifier, threshold, top_k
        self.named: list[Any] = []
        self.columns = ["labels"]
        if scores or probabilities:
            each = probabilities or hasattr(classifier, "separator")
            self.named = known.classes.tolist() if each else _classes_of_scores(known)
            self.columns.append("scores" if scores else "probabilities")
        elif top_k is not None:
            self.columns.append("top")

    def of(self, decision: Any) -> dict[str, list[Any]]:
        """The answers for some rows, by their names in JSON."""
        answers = {"labels": self.classifier.labels_of(decision).tolist()}
        p = decision
        if self.threshold is not None or "probabilities" in self.columns:
            p = self.classifier.needed_calibration().probabilities(decision)
        if self.threshold is not None and hasattr(self.classifier, "separator"):
            answers["labels"] = self.classifier.lists_of(p >= self.threshold).tolist()
        elif self.threshold is not None:
            sure = (p.max(axis=1) >= self.threshold).tolist()
            answers["labels"] = [x if is_sure else None for x, is_sure in zip(answers["labels"], sure, strict=True)]
        if self.top_k is not None:
            least = -float("inf") if self.threshold is None else self.threshold
            best = self.classifier.best(decision, self.top_k)
            answers["top"] = [[list(pair) for pair in of_row if pair[1] >= least] for of_row in best]
        elif self.named:
            answers[self.columns[-1]] = (p if "probabilities" in self.columns else decision).tolist()
        return answers


def rows_like_the_model(known: Schema, file: str, files: Reading) -> Iterator[Any]:
    """Read the rows of a file, with the columns that the model has learned. The file may have no rows."""
    from rosenblatt.base.exceptions import NoRowsError
    from rosenblatt.services.files.pipes import at_once

    with at_once(), suppress(NoRowsError):
        yield from files.like(known).iter_rows(file)


def _classes_of_scores(known: Schema) -> list[Any]:
    """The classes that have a score. With two classes only the second has one; a score below 0 means the first."""
    labels: list[Any] = known.classes.tolist()
    return labels if len(labels) > 2 else labels[-1:]


def _lines(labels: list[Any], beside: list[Any] | None = None) -> Iterator[str]:
    """A line for each row: its label, then its scores or probabilities; or its best labels, each with its number."""
    from rosenblatt.base.numbers import number_text

    if beside is None:
        shown = {label: f"{label_text(label)}\n" for label in set(labels)}
        yield from map(shown.__getitem__, labels)
        return
    for label, numbers in zip(labels, beside, strict=True):
        row = numbers if isinstance(numbers, list) else [numbers]
        if row and not isinstance(row[0], list):
            yield "\t".join([label_text(label), *map(number_text, row)]) + "\n"
        else:
            yield "\t".join(f"{label_text(best)}\t{number_text(number)}" for best, number in row) + "\n"


def label_text(label: Any) -> str:
    """A label as data files write it: 1, even if a model has learned it as 1.0; nothing for no label."""
    if label is None:
        return ""
    return str(int(label)) if isinstance(label, float) and label.is_integer() else str(label)


SHARES = {"precision": "precision", "recall": "recall", "f1": "F1"}


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt evaluate model.safetensors test.svm
        rosenblatt evaluate model.safetensors test.svm --json
    """,
)
@model_argument()
@file_argument()
@as_json
@reads_like_the_model
def evaluate(model: str, file: str, files: Reading, as_json: bool) -> None:
    """Compare the answers of MODEL with the labels of FILE.

    The result has the error, and the error of always answering with the most frequent label of FILE; balanced accuracy
    (the mean recall); for two classes AUC, the area under the ROC curve of the scores; precision, recall and F1 of each
    class; and which class is taken for which. For a linear unit (train --unit), it has the mean squared error, its
    root, and R^2. FILE may be larger than memory: AUC keeps 8 bytes of each row, and twice as many at the end.
    """
    classifier, known = load_model(model, numbers=True)
    blocks = files.like(known).iter_labelled(file)
    if hasattr(classifier, "separator"):
        result, text = measure_label_sets(classifier, blocks), label_sets_as_text
    elif known.classes is None:
        from rosenblatt.members.neighbours.squared_error import SumsOfSquares

        sums = reduce(add, (SumsOfSquares.of(y, classifier.predict(X)) for X, y in blocks))
        result, text = measure_numbers(sums), numbers_as_text
    else:
        result, text = measure(*_count(classifier, known, blocks, file)), confusion_as_text
    print_json(result) if as_json else click.echo(text(result))


def measure_label_sets(classifier: Any, blocks: Iterator[tuple[Any, Any]]) -> dict[str, Any]:
    """How right several labels a text are: the share of right sets, and F1 over all labels and of each."""
    import numpy as np

    from rosenblatt.members.linear.text.several import LabelSets, f1_of

    answers, right = list[Any](), list[Any]()
    for X, y in blocks:
        answers.append(classifier.decision(X) > 0)
        right.append(LabelSets.of(y, classifier.separator, classifier.classes).has)
    answered, has = np.concatenate(answers), np.concatenate(right)
    micro, macro = f1_of(answered, has)
    n_wrong = int((answered != has).any(axis=1).sum())
    each = [f1_of(answered[:, k : k + 1], has[:, k : k + 1])[0] for k in range(has.shape[1])]
    return {
        "n_rows": len(has),
        "n_wrong": n_wrong,
        "error": n_wrong / len(has),
        "micro_f1": micro,
        "macro_f1": macro,
        "classes": classifier.classes.tolist(),
        "f1": each,
        "support": has.sum(axis=0).tolist(),
    }


def label_sets_as_text(result: dict[str, Any]) -> str:
    labels = [short_text(label) for label in result["classes"]]
    each = [f"{f1:.4f}" for f1 in result["f1"]]
    return "\n".join(
        [
            f"micro F1 {result['micro_f1']:.4f}, macro F1 {result['macro_f1']:.4f}",
            f"error {result['error']:.4f}: {result['n_wrong']} of {result['n_rows']} rows have another set of labels",
            "",
            *align([["label", "F1", "rows"], *zip(labels, each, map(str, result["support"]), strict=True)]),
        ]
    )


def _count(classifier: Any, known: Schema, blocks: Iterator[tuple[Any, Any]], file: str) -> tuple[Any, float | None]:
    """Count the confusions and, with two classes, AUC, over all blocks."""
    from rosenblatt.services.comparison.confusion import Confusion, Ranking

    def count(X: Any, y: Any) -> Confusion:
        decision = classifier.decision(X)
        if len(known.classes) == 2:
            seen = np.isin(y, known.classes)
            ranking.add(y[seen] == known.classes[1], decision[seen])
        return Confusion.of(y, classifier.labels_of(decision), known.classes)

    import numpy as np

    ranking = Ranking()
    confusion = reduce(add, (count(X, np.asarray(y)) for X, y in blocks))
    known.check_counts(confusion.classes, confusion.counts.sum(axis=1), file)
    return confusion, ranking.auc()


def measure(confusion: Any, auc: float | None) -> dict[str, Any]:
    """The error and the confusion. AUC exists for two classes only. A measure that would divide by 0 is null."""
    import math

    n_rows = int(confusion.counts.sum())
    shares = {name: getattr(confusion, name).tolist() for name in SHARES}
    return {
        "n_rows": n_rows,
        "n_wrong": confusion.n_wrong,
        "error": confusion.n_wrong / n_rows,
        "majority": confusion.majority.as_json(),
        "balanced_accuracy": confusion.balanced_accuracy,
        "auc": auc,
        "classes": confusion.classes.tolist(),
        **{name: [None if math.isnan(share) else share for share in of] for name, of in shares.items()},
        "support": confusion.counts.sum(axis=1).tolist(),
        "confusion": confusion.counts.tolist(),
    }


def confusion_as_text(result: dict[str, Any]) -> str:
    shares = [["-" if v is None else f"{v:.4f}" for v in result[name]] for name in SHARES]
    labels = [short_text(label) for label in result["classes"]]
    shares.append([str(count) for count in result["support"]])
    by_class = [["class", *SHARES.values(), "rows"], *zip(labels, *shares, strict=True)]
    counts = [[label, *map(str, row)] for label, row in zip(labels, result["confusion"], strict=True)]
    return "\n".join(
        [
            f"error {result['error']:.4f}: {result['n_wrong']} of {result['n_rows']} rows",
            always(result["majority"]),
            f"balanced accuracy {result['balanced_accuracy']:.4f}"
            + ("" if result["auc"] is None else f", AUC {result['auc']:.4f}"),
            "",
            *align(by_class),
            "",
            "confusion: a line for each class as it is, a column for each answer",
            *align([["", *labels], *counts]),
        ]
    )


def measure_numbers(sums: Any) -> dict[str, Any]:
    """How far the outputs are from the numbers in a file. r2 is null if all these numbers are equal."""
    error = sums.error()
    return {
        "n_rows": sums.n_rows,
        "mean_squared_error": error.mean,
        "root_mean_squared_error": error.root,
        "r2": error.r2,
    }


def numbers_as_text(result: dict[str, Any]) -> str:
    r2 = "- (all numbers of the file are the same)" if result["r2"] is None else f"{result['r2']:.6g}"
    return "\n".join(
        [
            f"mean squared error       {result['mean_squared_error']:.6g}",
            f"root mean squared error  {result['root_mean_squared_error']:.6g}",
            f"R^2                      {r2}",
            f"rows                     {result['n_rows']}",
        ]
    )
