"""Shards of sentences: what mixing costs a tagger in passes, and what threads give back in seconds.

F1 is that of the averaged weights on the test part of CoNLL-2000, with the templates "chunk". A pass is measured as in
`shards`, by wall time, and "passes to one's 6" is how many it takes to the F1 of the sequential run after six.
"""

import os
from pathlib import Path

from benchmarks.shards import AIM, MOST, SHARDS, SHOWN, THREADS, TIMED
from benchmarks.structured import prepare
from benchmarks.table import Table, Target
from benchmarks.timing import interleaved
from rosenblatt import conlleval, read_conll
from rosenblatt.members.run import Pass
from rosenblatt.members.sentences.corpus import number_labels
from rosenblatt.members.sentences.tagger import templates
from rosenblatt.members.sentences.tagger.learn import run_over
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.services.sentences.tagging import fit_tagger_file


def scores_of(folder: Path, shards: int) -> list[float]:
    """F1 after each pass."""
    train, test = read_conll(folder / "train.txt").core, read_conll(folder / "test.txt")
    sentences, tags = [[token[:2] for token in sentence] for sentence in test], test.column(2)
    scores: list[float] = []

    def watch(_: Pass) -> None:
        scores.append(100 * conlleval(tags, run.model().predict(sentences)).f1)

    parameters = TaggerParameters(templates="chunk", shards=shards, max_iter=MOST)
    run = run_over(parameters, templates.read("chunk"), train, *number_labels(train, 2), watch=watch)
    run.fit()
    return scores


def pass_seconds(folder: Path, repeats: int) -> dict[tuple[int, int], float]:
    """The wall seconds of a pass with so many shards and threads."""
    settings = [(shards, threads) for shards in SHARDS for threads in THREADS if shards > 1 or threads == 1]

    def fit(shards: int, threads: int, passes: int) -> None:
        parameters = TaggerParameters(templates="chunk", shards=shards, n_jobs=threads, max_iter=passes)
        fit_tagger_file(parameters, folder / "train.txt")

    fits = {
        (setting, passes): lambda setting=setting, passes=passes: fit(setting[0], setting[1], passes)
        for setting in settings
        for passes in (1, 1 + TIMED)
    }
    took = interleaved(fits, repeats)
    return {one: max(1e-9, (took[one, 1 + TIMED] - took[one, 1]).wall / TIMED) for one in settings}


def tagger(data: Path | None, folder: Path, repeats: int, *, quick: bool) -> tuple[Table, list[Target]]:
    """The sequence tagger in shards on this machine."""
    title = prepare(data, folder, quick=quick)
    scores, seconds = {shards: scores_of(folder, shards) for shards in SHARDS}, pass_seconds(folder, repeats)
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    table = Table(f"CoNLL-2000{title}; {load}", COLUMNS)
    aim, times = scores[1][min(AIM, len(scores[1])) - 1], {}
    for (shards, threads), took in seconds.items():
        needed = next((number for number, score in enumerate(scores[shards], start=1) if score >= aim), None)
        times[shards, threads] = None if needed is None else needed * took
        shown = [scores[shards][min(passes, len(scores[shards])) - 1] for passes in SHOWN]
        name = f"{shards} shard{'s' * (shards > 1)}, {threads} thread{'s' * (threads > 1)}"
        table.add(name, *shown, took, needed, times[shards, threads])
    targets = [
        Target("a pass of a tagger's 2 shards, one thread / two", seconds[2, 1] / seconds[2, 2], ">=", 1.5, load)
    ]
    one, two = times[1, 1], times[2, 2]
    if one is not None and two is not None:
        targets.append(Target("time to the sequential F1, 2 shards on two threads / one", two / one, "<=", 1.0, load))
    return table, targets


COLUMNS = {
    "": "",
    **{f"F1 {passes}": ".2f" for passes in SHOWN},
    "pass s": ".4f",
    f"passes to one's {AIM}": ".0f",
    "s to it": ".3f",
}
