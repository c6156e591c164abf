"""What was typed, as the beginning of another command: the same files, read in the same way."""

import shlex
from collections.abc import Collection, Mapping
from typing import Any

import click

from rosenblatt.doors.cli.parameters import option_name

FOR_LATER = "model.safetensors"  # where the model of a command that is shown goes, unless a place was told


class TypedCommand(click.Command):
    """A command that knows the words it was called with."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As click does it."""
        ctx.meta[__name__] = list(args)
        return super().parse_args(ctx, args)


def train_command(leave_out: Collection[str], parameters: Mapping[str, Any], model: str | None = None) -> str:
    """`rosenblatt train` with the words of the current command, without these options, and with these parameters.

    It is to be typed in a shell.
    """
    ctx = click.get_current_context()
    typed, _, order = ctx.command.make_parser(ctx).parse_args(list(ctx.meta[__name__]))
    file = ctx.params["file"]
    words = ["rosenblatt", "train", *(file if isinstance(file, list) else [file])]
    for param in dict.fromkeys(order):
        if isinstance(param, click.Option) and param.name not in {*leave_out, *parameters}:
            words += _words(param, typed[param.name])
    for name, value in parameters.items():
        words += _of_parameter(name, value)
    return shlex.join([*words, "--model", model or FOR_LATER])


def _words(option: click.Option, value: Any) -> list[str]:
    """An option with its value, as it was typed; one of many values as often as it was."""
    name = option.opts[0]
    if option.is_flag:
        return [name if value else option.secondary_opts[0]]
    return [word for one in (value if option.multiple else [value]) for word in (name, one)]


def _of_parameter(name: str, value: Any) -> list[str]:
    """The option that gives a parameter of a member; None is how it is without."""
    option = option_name(name)
    if value is None:
        return []
    if isinstance(value, bool):
        return [option if value else option.replace("--", "--no-", 1)]
    if isinstance(value, dict):
        return [option, ",".join(f"{label}={weight!r}" for label, weight in value.items())]
    return [option, str(value)]
