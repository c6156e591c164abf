"""The program: it imports a verb when a user asks for it, reports errors, and returns exit codes."""

import errno
import os
import sys
import warnings
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

import rosenblatt
from rosenblatt.base.exceptions import ParameterError
from rosenblatt.doors.cli.command import WithExamples, warn
from rosenblatt.services.files.pipes import interruptible

# ruff: noqa: ARG002 (the signatures are click's)
VERBS = {
    "train": "train",
    "predict": "predict",
    "evaluate": "predict",
    "explain": "explain",
    "compare": "choosing",
    "tune": "choosing",
    "certify": "proofs",
    "verify": "proofs",
    "trace": "trace",
    "check": "trace",
    "exercise": "exercise",
    "grade": "exercise",
    "plot": "plot",
    "studio": "studio",
    "inspect": "inspect",
    "export": "export",
    "convert": "convert",
    "tag": "tag",
    "parse": "parse",
    "text": "text",
    "serve": "serve",
    "demo": "demo",
    "completion": "program",
}  # in the order in which people use them; each with the file that defines it
EXTRAS = {
    "matplotlib": "plot",
    "PIL": "plot",
    "rich": "cli",
    "flint": "exact",
    "pyarrow": "data",
    "anywidget": "notebook",
    "uvicorn": "serve",
    "msgspec": "serve",
}
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
FAILED, USAGE, INTERRUPTED = 1, 2, 130


class Program(WithExamples, click.Group):
    """The group of all verbs. A verb is imported only when it is asked for, so that `--help` starts quickly."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(VERBS)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the verb. If there is none of this name, suggest one that is spelled alike."""
        if args[0] not in VERBS and not args[0].startswith("-"):
            from difflib import get_close_matches

            meant = get_close_matches(args[0], VERBS, n=1)
            ctx.fail(f"No such command {args[0]!r}." + (f" Did you mean {meant[0]!r}?" if meant else ""))
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            return None
        verb: click.Command = getattr(import_module(f"rosenblatt.doors.cli.{VERBS[name]}"), name)
        return verb


@click.command(
    cls=Program,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    examples="""
        rosenblatt demo
        rosenblatt trace and.csv
        rosenblatt certify data.svm -o proof.json
        rosenblatt train data.svm --readout average --model model.safetensors
        rosenblatt predict model.safetensors new.svm
    """,
)
@click.version_option(rosenblatt.__version__, "-V", "--version", message="%(prog)s %(version)s")
def program() -> None:
    """The perceptron family: train, test, show every step, and prove what is separable.

    Data files are svmlight text, or tables if they are named .csv, .tsv, .parquet or .arrow; .gz, .bz2, .xz and .zst
    are decompressed; - is standard input. Results go to stdout, all else to stderr. Exit codes: 0 done, 1 failed, 2
    wrong usage, 3 ran, and the answer is no (not separable, proof refused, table wrong), 130 interrupted.
    """


def run(args: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    try:
        if sys.stdout is None:  # the caller closed it
            raise OSError(errno.EBADF, os.strerror(errno.EBADF), "standard output")  # noqa: TRY301
        with warnings.catch_warnings(), interruptible():
            warnings.simplefilter("ignore")
            warnings.simplefilter("default", UserWarning)  # a file that is read twice gives one warning
            warnings.showwarning = _warn
            code = program.main(args, prog_name="rosenblatt", standalone_mode=False)
            sys.stdout.flush()
    except (Exception, KeyboardInterrupt) as error:
        if os.environ.get("ROSENBLATT_DEBUG"):
            import traceback

            traceback.print_exc()
        if _is_interrupt(error):
            code = INTERRUPTED
            click.echo("interrupted", err=True)
        elif isinstance(error, click.ClickException):
            code = error.exit_code
            error.show() if code == USAGE else click.echo(f"error: {error.format_message()}", err=True)
        elif isinstance(error, OSError) and error.errno == errno.EPIPE:
            code = FAILED
            with suppress(OSError, ValueError):  # so that Python has nothing left to flush, which would fail again
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        else:
            # A parameter that is out of its range; of those that are tuned, scikit-learn finds it out.
            wrong = isinstance(error, ParameterError) or type(error).__name__ == "InvalidParameterError"
            code = USAGE if wrong else FAILED
            click.echo(f"error: {_in_one_line(error)}", err=True)
    return code or 0


def _is_interrupt(error: BaseException) -> bool:
    if isinstance(error, click.Abort):  # click makes it of a Ctrl-C, but of a file that ends too soon as well
        return not isinstance(error.__cause__, EOFError)
    return isinstance(error, KeyboardInterrupt)


def _in_one_line(error: BaseException) -> str:
    text = " ".join(str(error).split())
    if isinstance(error, ModuleNotFoundError) and error.name in EXTRAS:
        return f"this needs {error.name}: pip install 'rosenblatt[{EXTRAS[error.name]}]'"
    if isinstance(error, OSError) and error.strerror:
        # What is written to a file has its name.
        name = error.filename or ("standard output" if error.errno in NO_ROOM else None)
        return f"{name}: {error.strerror}" if name else error.strerror
    if isinstance(error, MemoryError):
        return f"not enough memory. {text}".rstrip(". ")
    if isinstance(error, ValueError | OSError | ImportError | ArithmeticError) and text:
        return text
    return f"{type(error).__name__}: {text}; ROSENBLATT_DEBUG=1 shows where"


def _warn(message: Warning | str, *_: Any, **__: Any) -> None:
    warn(str(message))


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

    complete = get_completion_class(shell)
    assert complete is not None
    click.echo(complete(program, {}, "rosenblatt", "_ROSENBLATT_COMPLETE").source())
