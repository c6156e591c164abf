"""`python -m benchmarks TABLE ...`, from the project's root: ours and the peers in one run, on the same arrays."""

import argparse
import os
import platform
import sys
import warnings
from pathlib import Path

import numpy as np
import sklearn

from benchmarks import data, images
from benchmarks.table import Table, Target, report

Result = tuple[list[Table], list[Target]]


def linear(options: argparse.Namespace) -> Result:
    """Seconds and errors of the linear perceptron beside scikit-learn's and river's."""
    from benchmarks.linear import binary, multiclass, sorted_by_class

    two, many = _load(options, "imdb1", "rcv1-like"), _load(options, "news20")
    results = [binary(split, options.repeats) for split in two] + [multiclass(split, options.repeats) for split in many]
    tables = [table for table, _ in results] + [sorted_by_class(two + many)]
    return tables, [target for _, targets in results for target in targets]


def accuracy(options: argparse.Namespace) -> Result:
    """Test errors of the family and of scikit-learn's linear models, chosen by cross-validation."""
    from benchmarks.accuracy import compare

    names = "imdb1", "news20"
    results = [compare(name, *_load(options, name), quick=options.quick) for name in names]
    return [table for table, _ in results], [target for _, targets in results for target in targets]


def choosing(options: argparse.Namespace) -> Result:
    """Test errors of every step under every readout, on text, images and tables: which to choose."""
    from benchmarks.choosing import run

    texts = _load(options, "imdb1", "news20", "rcv1-like")
    return run(texts, images.load(options.data, quick=options.quick), quick=options.quick), []


def defaults(options: argparse.Namespace) -> Result:
    """Test errors and seconds of what comes where nothing is chosen, on small tables, beside LogisticRegression()."""
    from benchmarks.defaults import run

    return run(options.data, quick=options.quick)


def certify(options: argparse.Namespace) -> Result:
    """Seconds and answers of certify beside the whole linear program and fits without regularisation."""
    from benchmarks.certify import run

    table, targets = run(quick=options.quick, repeats=options.repeats)
    return [table], targets


def files(options: argparse.Namespace) -> Result:
    """From a file to a model: seconds, memory and errors beside Vowpal Wabbit and scikit-learn."""
    from benchmarks.files import run

    (split,) = _load(options, "rcv1-like")
    table, targets = run(split, options.cache / ("files-small" if options.quick else "files"), options.repeats)
    return [table], targets


def shards(options: argparse.Namespace) -> Result:
    """Shards on threads and on Dask: test error against passes and seconds, beside scikit-learn and Dask-ML."""
    from benchmarks.shards import linear
    from benchmarks.shards_dask import cluster_table
    from benchmarks.shards_tagger import tagger

    (split,) = _load(options, "rcv1-like")
    table, targets = linear(split, options.repeats)
    on_cluster, more = cluster_table(split, options.cache / ("shards-small" if options.quick else "shards"))
    folder = options.cache / ("structured-small" if options.quick else "structured")
    tagged, of_tagger = tagger(options.data, folder, options.repeats, quick=options.quick)
    return [table, on_cluster, tagged], [*targets, *more, *of_tagger]


def scaling(_: argparse.Namespace) -> Result:
    """A round on 10, 100 and 1,000 machines, on paper: a model with constants that are measured here."""
    from benchmarks.scaling import scaling
    from benchmarks.shards_dask import cluster

    with cluster() as client:
        return scaling(client), []


def structured(options: argparse.Namespace) -> Result:
    """Taggers, from file to model to file, beside CRFsuite and NLTK: chunks, parts of speech."""
    from benchmarks.structured import run

    folder = options.cache / ("structured-small" if options.quick else "structured")
    return run(options.data, folder, options.repeats, quick=options.quick)


def large_tags(options: argparse.Namespace) -> Result:
    """Hundreds of tags: dense rows beside lists and pruning, on EWT's UPOS and FEATS and on made-up tags."""
    from benchmarks.large_tags import run

    folder = options.cache / ("structured-small" if options.quick else "structured")
    return run(options.data, folder, options.repeats, quick=options.quick)


def parser(options: argparse.Namespace) -> Result:
    """Parsers on UD English EWT: accuracy, seconds and size beside UDPipe 1 and spaCy."""
    from benchmarks.parser import run

    folder = options.cache / ("parser-small" if options.quick else "parser")
    return run(options.data, folder, quick=options.quick)


def pipeline(options: argparse.Namespace) -> Result:
    """Pipelines from raw text to trees on UD treebanks: scores, seconds and size beside UDPipe's published scores."""
    from benchmarks.pipeline import run

    folder = options.cache / ("pipeline-small" if options.quick else "pipeline")
    return run(options.data, folder, quick=options.quick)


def startup(options: argparse.Namespace) -> Result:
    """Commands from the shell, start-up included: CPU seconds and memory beside `import numpy, click` and CRFsuite."""
    from benchmarks.startup import run

    return run(options.data, options.repeats, quick=options.quick)


def serve(options: argparse.Namespace) -> Result:
    """The server beside Vowpal Wabbit's daemon and FastAPI: predictions, durable examples, restart, snapshots."""
    from benchmarks.serve import run

    return run(options.cache, options.repeats, quick=options.quick)


def tables(options: argparse.Namespace) -> Result:
    """From a table to a model, start-up included: CPU seconds, memory and errors beside pandas and scikit-learn."""
    from benchmarks.tables import run

    folder = options.cache / ("tables-small" if options.quick else "tables")
    return run(folder, options.repeats, quick=options.quick)


def text(options: argparse.Namespace) -> Result:
    """Raw texts to a model, start-up included: accuracy, CPU seconds, memory, size, beside scikit-learn's pipelines."""
    from benchmarks.text import run

    return run(options.data, options.cache, options.repeats, quick=options.quick)


def kernel(options: argparse.Namespace) -> Result:
    """Kernels on MNIST: seconds, memory and errors beside SVC, libsvm, Nystroem and votedperceptron."""
    from benchmarks.kernel import run

    return run(images.load(options.data, quick=options.quick), options.repeats)


def kernel_choice(options: argparse.Namespace) -> Result:
    """How the setting that `kernel` puts beside SVC was chosen, on held-out training rows."""
    from benchmarks.kernel_choice import run

    return [run(images.load(options.data, quick=options.quick))], []


def freund_schapire(options: argparse.Namespace) -> Result:
    """Freund and Schapire's experiment of 1999 on MNIST; writes docs/why/freund_schapire.md."""
    from benchmarks.freund_schapire import run

    return run(images.load(options.data, quick=options.quick), quick=options.quick), []


def trace(options: argparse.Namespace) -> Result:
    """Microseconds a visit of a recorded run, beside the core asked visit by visit, and plain.py."""
    from benchmarks.trace import run

    return run(options.repeats, quick=options.quick)


def studio(options: argparse.Namespace) -> Result:
    """Milliseconds of the studio in a browser: a run with its certificate, a step with its drawing."""
    from benchmarks.studio import run

    return run(quick=options.quick)


TABLES = {
    "linear": linear,
    "accuracy": accuracy,
    "choosing": choosing,
    "defaults": defaults,
    "certify": certify,
    "files": files,
    "shards": shards,
    "scaling": scaling,
    "kernel": kernel,
    "kernel_choice": kernel_choice,
    "freund_schapire": freund_schapire,
    "structured": structured,
    "large_tags": large_tags,
    "parser": parser,
    "pipeline": pipeline,
    "serve": serve,
    "startup": startup,
    "tables": tables,
    "text": text,
    "studio": studio,
    "trace": trace,
}


def _load(options: argparse.Namespace, *names: str) -> list[data.Split]:
    return [data.load(name, folder=options.data, cache=options.cache, quick=options.quick) for name in names]


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rosenblatt-benchmarks"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    tables = "; ".join(f"{name}: {run.__doc__}" for name, run in TABLES.items())
    parser.add_argument("tables", nargs="+", choices=TABLES, metavar="TABLE", help=tables)
    parser.add_argument("--data", type=Path, help="folder of the data (../shared/data; without it stand-ins are made)")
    parser.add_argument("--cache", type=Path, default=_cache(), help="folder for data once read or made (%(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="least interleaved repeats of a timing (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="small made data, to see that all of it runs")
    parser.add_argument("--json", action="store_true", help="print JSON, with every digit")
    return parser.parse_args()


def main() -> None:
    options = _options()
    if options.quick:
        options.repeats = 1
    warnings.filterwarnings("ignore", category=sklearn.exceptions.ConvergenceWarning)
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Python {platform.python_version()}"
    print(f"{machine}, numpy {np.__version__}, scikit-learn {sklearn.__version__}", file=sys.stderr)
    for name in options.tables:
        tables, targets = TABLES[name](options)
        # Targets are for the real thing: on small made data they mean nothing.
        print(report(tables, [] if options.quick else targets, as_json=options.json), flush=True)


if __name__ == "__main__":
    main()
