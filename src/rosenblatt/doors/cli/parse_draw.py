"""`rosenblatt parse draw`: the trees of a file as pictures, or two trees and where they differ."""

import click

from rosenblatt.doors.cli.command import WithExamples, output, write
from rosenblatt.doors.cli.data_file import DATA_FILE, MAX_LINE
from rosenblatt.doors.cli.parse_tags import check_treebank


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt parse draw parsed.conllu --sentence 3
        rosenblatt parse draw gold.conllu parsed.conllu --sentence 3 -o tree.svg
    """,
)
@click.argument("files", metavar="FILE [OTHER]", nargs=-1, required=True, type=DATA_FILE)
@click.option("--sentence", type=click.IntRange(min=1), help="Which one, from 1 on.  [default: all]")
@output("Where the picture goes: SVG if it is named .svg, else text.  [default: stdout]")
@MAX_LINE
def draw(files: tuple[str, ...], sentence: int | None, output: str) -> None:
    """Draw the trees of FILE.

    With OTHER, which has the same words, arcs that only FILE has are marked -, and those that only OTHER has +.
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
