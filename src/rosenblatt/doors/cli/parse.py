"""`rosenblatt parse`: a parser of sentences from CoNLL-U files: train, run, eval, draw.

With --tagger sentences are tagged before they are parsed, in one pipeline that reads and writes each block once.
"""

from typing import Any

import click

from rosenblatt.doors.cli.command import SECTIONS, WithExamples, as_json, output, print_json, write
from rosenblatt.doors.cli.data_file import DATA_FILE, MAX_LINE, check_standard_input, file_argument, files_argument
from rosenblatt.doors.cli.model import load_parser, load_tagger, model_argument, model_option
from rosenblatt.doors.cli.parameters import Typed, settle, with_parameters
from rosenblatt.doors.cli.sentences import SentenceVerbs, train_and_save
from rosenblatt.services.files.format import kind_of

FOLDS = 10
COLUMNS = Typed("column,...", lambda text: [part.strip() for part in text.split(",")])

with_taggers = click.option(
    "--tagger",
    "taggers",
    metavar="MODEL",
    type=click.Path(dir_okay=False),
    multiple=True,
    help="A tagger, which tags the sentences before they are parsed; can be repeated, for each column that has tags.",
)


def check_treebank(path: str) -> None:
    """Refuse a model where a treebank is expected."""
    check_standard_input(path)
    if kind_of(path) == "model":
        raise ValueError(f"{path}: expected sentences in CoNLL-U, found a model file")


@click.group(
    cls=SentenceVerbs,
    examples="""
        rosenblatt parse train train.conllu --dev dev.conllu --model parser.safetensors
        rosenblatt parse run parser.safetensors new.conllu -o parsed.conllu
        rosenblatt parse eval parser.safetensors test.conllu
        rosenblatt parse draw parsed.conllu --sentence 1
    """,
)
def parse() -> None:
    """Parse sentences: the head and the label of each word.

    Files are CoNLL-U, whatever they are named.
    """


@parse.command(
    cls=WithExamples,
    sections=SECTIONS,
    examples="""
        rosenblatt parse train train.conllu --model parser.safetensors
        rosenblatt parse train train.conllu --dev dev.conllu --model parser.safetensors
        rosenblatt parse train train.conllu --dev dev.conllu --templates lean --model small.safetensors --json
        rosenblatt parse train train.conllu --tagger upos.safetensors --columns form,upos --model parser.safetensors
    """,
)
@files_argument()
@model_option(required=True)
@click.option("--dev", metavar="FILE", type=DATA_FILE, help="A further file, which chooses the pass and the pruning.")
@click.option(
    "--columns",
    type=COLUMNS,
    help="The columns that templates look at as 0, 1, ...  [default: form,upos,xpos,feats; without xpos upos again]",
)
@with_taggers
@click.option(
    "--jackknife",
    type=click.IntRange(min=0),
    help="With --tagger: split the training sentences into this number of folds, and tag each fold by a tagger that "
    f"has learned from the others; 0: tag all by the taggers themselves.  [default: {FOLDS}]",
)
@MAX_LINE
@as_json
@with_parameters(of="DependencyParser")
def train(
    file: list[str],
    model: str,
    dev: str | None,
    columns: list[str] | None,
    taggers: tuple[str, ...],
    jackknife: int | None,
    as_json: bool,
    options: dict[str, Any],
) -> None:
    """Train a parser on FILE and save it.

    Several files, or a pattern such as 'part-*.conllu', are one treebank in the order of their names. The summary is
    printed to stdout. On stderr: the score on the held-out sentences after each pass, with --json as a line of JSON;
    progress if it is a terminal.
    """
    from rosenblatt.members.sentences.parser.parameters import ParserParameters
    from rosenblatt.services.sentences.parsing import check_columns, fit_parser_file

    if jackknife is not None and not taggers:
        raise click.UsageError("--jackknife needs --tagger")
    for path in [*file, *([] if dev is None else [dev])]:
        check_treebank(path)
    if columns is not None:
        check_columns(columns)
    parameters = ParserParameters.of(**settle(options, None))

    def fit(watch: Any) -> Any:
        folds = FOLDS if jackknife is None else jackknife
        before = [load_tagger(tagger) for tagger in taggers]
        return fit_parser_file(parameters, file, columns=columns, dev=dev, taggers=before, folds=folds, watch=watch)

    names = {
        "classes": "labels",
        "mistakes_of_last_pass": "wrong actions of the last pass",
        "score": "LAS on the sentences held out",
    }
    calls: dict[str, Any] = {"mistake": "wrong action", "score": "held-out LAS"}
    train_and_save(fit, file, model, names, max_iter=parameters.max_iter, as_json=as_json, **calls)


@parse.command(
    cls=WithExamples,
    examples="""
        rosenblatt parse run parser.safetensors new.conllu -o parsed.conllu
        rosenblatt parse run parser.safetensors --tagger upos.safetensors --tagger xpos.safetensors words.conllu
    """,
)
@model_argument()
@file_argument()
@output("Where the parsed sentences go.  [default: stdout]")
@with_taggers
@MAX_LINE
def run(model: str, file: str, output: str, taggers: tuple[str, ...]) -> None:
    """Parse the sentences of FILE with MODEL.

    Heads and labels replace the columns head and deprel; tags replace the columns that the taggers have learned. All
    else stays as it is. FILE is read in blocks, so it may be larger than memory; a sentence from a pipe that stays open
    is answered at once. If there are no sentences, nothing is written.
    """
    check_treebank(file)
    parser = load_parser(model)
    from rosenblatt.services.files.pipes import at_once
    from rosenblatt.services.sentences.parsing import parse_file

    with at_once():
        parse_file(parser, file, output, [load_tagger(tagger) for tagger in taggers])


@parse.command(
    "eval",
    cls=WithExamples,
    examples="""
        rosenblatt parse eval parser.safetensors test.conllu
        rosenblatt parse eval parser.safetensors test.conllu --tagger upos.safetensors --json
        rosenblatt parse eval gold.conllu parsed.conllu
    """,
)
@click.argument("files", metavar="MODEL|GOLD FILE", nargs=2, type=DATA_FILE)
@with_taggers
@MAX_LINE
@as_json
def evaluate(files: tuple[str, str], taggers: tuple[str, ...], as_json: bool) -> None:
    """Count what is right, as in the CoNLL 2018 shared task: tokens, tags, lemmas, heads, labels, content words.

    With MODEL, the sentences of FILE are parsed, and compared with the trees in FILE. With GOLD, FILE is compared with
    GOLD, which has the same text; its sentences, tokens and words may be others.
    """
    from rosenblatt.services.sentences.parsing import score_parser, score_trees

    first, file = files
    for path in files:
        if path == "-" or kind_of(path) != "model" or path == file:
            check_treebank(path)
    if kind_of(first) == "model":
        scores = score_parser(load_parser(first), file, [load_tagger(tagger) for tagger in taggers])
    elif taggers:
        raise click.UsageError("--tagger is for sentences that MODEL parses")
    else:
        scores = score_trees(first, file)
    if not as_json:
        click.echo(scores)
        return
    names = ("n_words", "n_sentences", "uas", "las", "clas", "mlas", "sentences")
    shares = {name: getattr(scores, name) for name in names}
    table = {name: {**score._asdict(), "f1": score.f1} for name, score in scores.table.items()}
    print_json({**shares, "table": table, "by_label": _counts(scores.by_label), "by_length": _counts(scores.by_length)})


def _counts(by_name: dict[str, Any]) -> dict[str, Any]:
    return {name: {**count._asdict(), "f1": count.f1} for name, count in by_name.items()}


@parse.command(
    cls=WithExamples,
    examples="""
        rosenblatt parse draw parsed.conllu --sentence 3
        rosenblatt parse draw gold.conllu parsed.conllu --sentence 3 -o tree.svg
    """,
)
@click.argument("files", metavar="FILE [OTHER]", nargs=-1, required=True, type=DATA_FILE)
@click.option("--sentence", type=click.IntRange(min=1), help="The sentence to draw, counted from 1.  [default: all]")
@output("Where the picture goes: SVG if it is named .svg, else text.  [default: stdout]")
@MAX_LINE
def draw(files: tuple[str, ...], sentence: int | None, output: str) -> None:
    """Draw the trees of FILE.

    With OTHER, which has the same words, arcs that only FILE has are marked -, and arcs that only OTHER has are marked
    +.
    """
    from rosenblatt.services.lessons.plot.tree import draw_tree
    from rosenblatt.services.sentences.parsing import read_trees

    if len(files) > 2:
        raise click.UsageError(f"expected one file or two, found {len(files)}")
    for path in files:
        check_treebank(path)
    trees = [read_trees(path) for path in files]
    words = trees[0][0]
    if len(trees) == 2 and words != trees[1][0]:
        raise ValueError(f"{files[1]}: expected the words of {files[0]}, found others")
    if sentence is not None and sentence > len(words):
        raise click.UsageError(f"--sentence: expected 1 to {len(words)}, which {files[0]} has, found {sentence}")
    chosen = range(len(words)) if sentence is None else [sentence - 1]
    if output.endswith(".svg") and len(chosen) != 1:
        raise click.UsageError("an SVG file has one picture: --sentence says which")
    pictures = []
    for k in chosen:
        of_sentence = [(tree.heads[k], tree.labels[k]) for _, tree in trees]
        pictures.append(draw_tree(words[k], *of_sentence[0], against=of_sentence[1] if len(trees) == 2 else None))
    drawn = pictures[0].svg() if output.endswith(".svg") else "\n\n".join(map(str, pictures))
    write(output, f"{drawn}\n")
