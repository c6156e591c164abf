"""`rosenblatt parse`: a dependency parser from CoNLL-U files; each of its verbs has a file."""

import click

from rosenblatt.doors.cli.command import WithExamples
from rosenblatt.doors.cli.parse_draw import draw
from rosenblatt.doors.cli.parse_eval import evaluate
from rosenblatt.doors.cli.parse_run import run
from rosenblatt.doors.cli.parse_train import train


class Group(WithExamples, click.Group):
    """The verbs of parsing."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of use."""
        return list(self.commands)


@click.group(
    cls=Group,
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


for verb in (train, run, evaluate, draw):
    parse.add_command(verb)
