"""`rosenblatt tag`: a tagger of sentences from CoNLL files; each of its verbs has a file."""

import click

from rosenblatt.doors.cli.command import WithExamples
from rosenblatt.doors.cli.tag_eval import evaluate
from rosenblatt.doors.cli.tag_run import run
from rosenblatt.doors.cli.tag_train import train


class Group(WithExamples, click.Group):
    """The verbs of tagging."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order of use."""
        return list(self.commands)


@click.group(
    cls=Group,
    examples="""
        rosenblatt tag train train.txt --templates chunk --model chunks.safetensors
        rosenblatt tag run chunks.safetensors new.txt
        rosenblatt tag eval chunks.safetensors test.txt
    """,
)
def tag() -> None:
    """Tag sentences: parts of speech, chunks, names.

    Files have a token a line, in columns, and an empty line after a sentence; or they are CoNLL-U, if they are named
    .conllu.
    """


for verb in (train, run, evaluate):
    tag.add_command(verb)
