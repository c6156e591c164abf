"""`rosenblatt serve`: models that learn online, over HTTP, and lose nothing."""

import ipaddress
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples

# Each option with what it limits; the defaults are in doors/serve/limits.py.
LIMITS = {
    "snapshot-every": "Examples between two snapshots.",
    "snapshots": "Snapshots that are kept.",
    "header": "Bytes of a request's headers.",
    "body": "Bytes of a request.",
    "bodies": "Bytes of all requests at the same time.",
    "rows": "Rows of a request.",
    "features": "The widest rows.",
    "weights": "Features times labels of a model.",
    "labels": "The most labels of a model.",
    "steps": "The work that a request may take, to learn or to answer it, in steps of about a nanosecond.",
    "queue": "Examples that wait to be learned, of one model.",
    "kept": "Predictions that wait for their label, of one model.",
    "seconds": "For a request to come.",
    "connections": "At the same time.",
    "ending": "Seconds that SIGTERM and Ctrl-C may take; what is not learned by then is learned at the next start.",
}


def _with_limits(function: Any) -> Any:
    for name, text in reversed(LIMITS.items()):
        function = click.option(f"--{name}", type=click.IntRange(1), help=text)(function)
    return function


@click.command(
    cls=WithExamples,
    sections={"Limits": list(LIMITS)},
    examples="""
        rosenblatt serve models
        rosenblatt serve models --port 8800 --snapshot-every 10000
        rosenblatt serve models --host 0.0.0.0 --token-file tokens.txt
        rosenblatt serve models --backup copy-of-models
    """,
)
@click.argument("folder", type=click.Path(file_okay=False))
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8750,
    help="The port to listen on; 0: any free one.",
    show_default=True,
)
@click.option("--host", default="127.0.0.1", help="Where to listen.", show_default=True)
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False),
    help="A file with one token in each line, such as `predict,learn TOKEN`; scopes are predict, learn and admin. "
    "Needed to serve other machines: then each request must have a token.",
)
@click.option(
    "--host-name",
    "names",
    multiple=True,
    help="A name that requests may call the server by, besides 127.0.0.1, localhost and [::1]. With --token-file any "
    "name is allowed, unless you use this option.",
)
@click.option(
    "--backup",
    type=click.Path(),
    help="Copy the models into a new folder of this name, even while a server uses them, and end.",
)
@click.option(
    "--compact",
    is_flag=True,
    help="Shorten the logs to a snapshot of each model, while no server uses the folder, and end. The examples before "
    "it are gone: you can no longer replay them, nor roll back to them.",
)
@_with_limits
@click.option("--json", "as_json", is_flag=True, help="Print the address, or what was done, as one JSON object.")
def serve(
    folder: str,
    port: int,
    host: str,
    token_file: str | None,
    names: tuple[str, ...],
    backup: str | None,
    compact: bool,
    as_json: bool,
    **options: int | None,
) -> None:
    """Serve models that learn online and lose nothing.

    The models are in FOLDER; they predict and learn over HTTP, example by example. The server acknowledges an example
    when it is on the disk and learned. After any crash, a model is the one that a replay of its log gives. SIGTERM and
    Ctrl-C end the server in order.
    """
    if backup is not None or compact:
        if backup is not None and compact:
            raise click.UsageError("--backup and --compact: expected one of them")
        _keep_up(Path(folder), backup, options, as_json=as_json)
        return
    if token_file is None and not _is_here(host):
        raise click.UsageError(f"--host {host}: expected --token-file where others than this machine can ask")
    _serve(Path(folder), host, port, token_file, names, options, _announce(folder, as_json=as_json))


def _serve(
    folder: Path,
    host: str,
    port: int,
    token_file: str | None,
    names: tuple[str, ...],
    options: Any,
    ready: Callable[[str], None],
) -> None:
    from rosenblatt.doors.serve.callers import HERE, Callers, Tokens
    from rosenblatt.doors.serve.run import serve as run

    limits = _limits(options)
    tokens = Tokens() if token_file is None else Tokens.read(Path(token_file))
    callers = Callers(None if token_file is not None and not names else [*HERE, host, *names])
    run(folder, host, port, limits, tokens, callers, ready)


def _limits(options: Any) -> Any:
    from rosenblatt.doors.serve.limits import Limits

    return Limits(**{name: value for name, value in options.items() if value is not None})


def _keep_up(folder: Path, backup: str | None, options: Any, *, as_json: bool) -> None:
    """Copy or compact all models. The exit code is 1 if that failed for one of them."""
    from rosenblatt.doors.serve import upkeep

    if not folder.is_dir():
        raise click.UsageError(f"{folder}: expected a folder of models, found none")
    results = upkeep.compact(folder, _limits(options)) if backup is None else upkeep.back_up(folder, Path(backup))
    done = "compacted" if backup is None else "copied"
    good = [result for result in results if result.error is None]
    if as_json:
        models = [{key: value for key, value in result._asdict().items() if key != "error"} for result in good]
        click.echo(json.dumps({"schema": 1, "folder": folder.as_posix(), done: models}))
    else:
        for result in good:
            size = f"{result.bytes_before:,} bytes, now {result.bytes:,}"
            click.echo(f"{result.name}: {done} up to example {result.seq:,}, {size}")
    for result in results:
        if result.error is not None:
            click.echo(f"error: model {result.name}: {result.error}", err=True)
    if len(good) < len(results):
        raise click.exceptions.Exit(1)


def _announce(folder: str, *, as_json: bool) -> Callable[[str], None]:
    def ready(address: str) -> None:
        text = json.dumps({"schema": 1, "folder": folder, "address": address})
        click.echo(text if as_json else f"serving {folder} at {address}")

    return ready


def _is_here(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
