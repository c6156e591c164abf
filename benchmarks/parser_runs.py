"""Parsers from file to file: one way a run, in a process of its own, which says what it took.

`python -m benchmarks.parser_runs WAY FOLDER` learns from train.conllu in the folder, with dev.conllu to choose by, and
parses test.conllu into WAY.conllu. Printed as JSON: CPU seconds of learning and of parsing, one thread, models loaded
before and the file's text included; megabytes of the model; and what is to be said of the run.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.parser_cost import Cost, least
from benchmarks.parser_peers import spacy, udpipe

# Before any library starts its threads.
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ[_name] = "1"

TAGGED = ("upos", "xpos", "feats")


def ours(folder: Path, way: str, *, tagged: bool = False, **words: Any) -> Cost:
    """Ours, with the tags of the file, or with those of our taggers, jackknifed."""
    from rosenblatt.members.sentences.parser.parameters import ParserParameters
    from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
    from rosenblatt.services.records.model_file import Stored, write
    from rosenblatt.services.sentences.parsing import fit_parser_file, parse_file
    from rosenblatt.services.sentences.tagging import fit_tagger_file

    start = time.process_time()
    train: Any = folder / "train.conllu"
    dev: Any = folder / "dev.conllu"
    columns = TAGGED if tagged else ()
    taggers = [fit_tagger_file(TaggerParameters(), train, dev=dev, tag=column) for column in columns]
    parameters = ParserParameters(**{"max_iter": 20, "n_iter_no_change": 20, "n_jobs": 1, "prune": 0.0, **words})
    model = fit_parser_file(parameters, train, dev=dev, taggers=taggers, folds=10)
    path = folder / f"{way}.safetensors"
    write(Stored(model), path)
    seconds = time.process_time() - start
    model.answering()

    def parse() -> None:
        parse_file(model, folder / "test.conllu", folder / f"{way}.conllu", taggers)

    note = f"pass {model.kept_pass} of {len(model.mistakes)}"
    note += f", weights up to {model.pruned} left out" if model.pruned else ""
    return Cost(seconds, least(parse), path.stat().st_size / 1e6, note)


WAYS: dict[str, Callable[[Path, str], Cost]] = {
    "rich0": lambda folder, way: ours(folder, way, random_state=0),
    "rich1": lambda folder, way: ours(folder, way, random_state=1),
    "rich2": lambda folder, way: ours(folder, way, random_state=2),
    "auto": lambda folder, way: ours(folder, way, prune="auto"),
    "small": lambda folder, way: ours(folder, way, max_size="10MB"),
    "lean": lambda folder, way: ours(folder, way, templates="lean", prune="auto"),
    "beam": lambda folder, way: ours(folder, way, beam=4, n_iter_no_change=2),
    "tagged0": lambda folder, way: ours(folder, way, tagged=True, random_state=0),
    "tagged1": lambda folder, way: ours(folder, way, tagged=True, random_state=1),
    "tagged2": lambda folder, way: ours(folder, way, tagged=True, random_state=2),
    "udpipe": udpipe,
    "udpipe_tagged": lambda folder, way: udpipe(folder, way, tagged=folder / "tagged0.conllu"),
    "spacy": spacy,
}


def main() -> None:
    way, folder = sys.argv[1], Path(sys.argv[2])
    print(json.dumps(WAYS[way](folder, way)._asdict()))


if __name__ == "__main__":
    main()
