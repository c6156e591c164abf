"""`rosenblatt completion`: what a shell needs to complete verbs, options, values and files."""

import click

from rosenblatt.doors.cli.command import WithExamples


@click.command(
    cls=WithExamples,
    examples="""
        eval "$(rosenblatt completion bash)"
        rosenblatt completion fish > ~/.config/fish/completions/rosenblatt.fish
    """,
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for SHELL."""
    from click.shell_completion import get_completion_class

    from rosenblatt.doors.cli.program import program

    complete = get_completion_class(shell)
    assert complete is not None
    click.echo(complete(program, {}, "rosenblatt", "_ROSENBLATT_COMPLETE").source())
