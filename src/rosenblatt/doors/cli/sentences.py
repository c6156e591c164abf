"""What `rosenblatt tag` and `rosenblatt parse` share: the group of verbs, the report of passes, the summary."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, as_facts, print_facts, print_json


class SentenceVerbs(WithExamples, click.Group):
    """The verbs of a tagger or a parser, which `--help` lists in the order of use."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(self.commands)


def train_and_save(
    fit: Callable[[Any], Any],
    paths: list[str],
    path: str,
    names: dict[str, str],
    *,
    max_iter: int,
    as_json: bool,
    mistake: str,
    score: str,
) -> None:
    """Fit a model, watch its passes, save it, and print a summary with the facts that `names` names for people.

    The line of a pass says what a `mistake` is called, and the `score` on the sentences held out.
    """
    from rosenblatt.services.files.source_mark import SourceMark
    from rosenblatt.services.records.model_file import Stored, write

    start = time.perf_counter()
    with _watch(max_iter, as_json=as_json, mistake=mistake, score=score) as watch:
        model = fit(watch)
    seconds = time.perf_counter() - start
    write(Stored(model), path, data=SourceMark.of_path(paths[0]) if len(paths) == 1 else None)
    scores = model.validation_scores
    result = {
        "classes": model.classes.tolist(),
        **model.facts(),
        "score": None if scores is None else float(scores.max()),
        **model.size(),
        "seconds": round(seconds, 3),
        "random_state": model.parameters.random_state,
        "model": path,
    }
    print_json(result) if as_json else print_facts(as_facts(result, {**FACTS, **names}))


FACTS = {
    "n_iter": "passes made",
    "kept_pass": "pass kept",
    "pruned": "weights left out up to",
    "n_weight_rows": "rows of weights",
    "random_state": "seed",
}


@contextmanager
def _watch(max_iter: int, *, as_json: bool, mistake: str, score: str) -> Iterator[Any]:
    """The function that a run calls after each pass, which prints how the pass went."""
    from rosenblatt.doors.cli.progress import bar

    def line(so_far: Any) -> str:
        mistakes = f"{so_far.mistakes} {mistake}{'' if so_far.mistakes == 1 else 's'}"
        return f"pass {so_far.number}: {mistakes}, {score} {100 * so_far.score:.2f} %"

    if as_json:

        def print_pass(so_far: Any) -> None:
            counts = {"mistakes": so_far.mistakes, "sentence_mistakes": so_far.sentence_mistakes}
            print_json({"pass": so_far.number, **counts, "score": so_far.score}, err=True)

        yield print_pass
    elif sys.stderr.isatty():
        with bar("training") as shown:

            def move_bar(so_far: Any) -> None:
                text = f"pass {so_far.number}, {so_far.mistakes:,} {mistake}s"
                shown(so_far.number, max_iter, text, None if so_far.score is None else line(so_far))

            yield move_bar
    else:

        def print_score(so_far: Any) -> None:
            if so_far.score is not None:
                click.echo(line(so_far), err=True)

        yield print_score
