"""`rosenblatt serve`: models that learn online, over HTTP, and lose nothing."""

import json
from pathlib import Path

import click

from rosenblatt.cli.command import WithExamples


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt serve models
        rosenblatt serve models --port 8800 --snapshot-every 10000
        rosenblatt serve models --host 0.0.0.0 --token-file tokens.txt
    """,
)
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--port", type=click.IntRange(0, 65535), default=8750, help="0: a free one.", show_default=True)
@click.option("--host", default="127.0.0.1", help="Elsewhere than here only with --token-file.", show_default=True)
@click.option("--snapshot-every", type=click.IntRange(1), help="Examples between two snapshots.")
@click.option("--json", "as_json", is_flag=True, help="Print the address as one JSON object.")
def serve(folder: str, port: int, host: str, snapshot_every: int | None, as_json: bool) -> None:
    """Serve the models in FOLDER over HTTP: they predict and learn, example by example.

    An example is acknowledged when it is on the disk and learned. After any crash a model is the one that a replay of
    its log gives. SIGTERM and Ctrl-C end the server in order.
    """
    from rosenblatt.serve.limits import Limits
    from rosenblatt.serve.run import serve as run

    given = {"snapshot_every": snapshot_every}
    limits = Limits(**{name: value for name, value in given.items() if value is not None})

    def ready(address: str) -> None:
        said = json.dumps({"schema": 1, "folder": folder, "address": address})
        click.echo(said if as_json else f"serving {folder} at {address}")

    run(Path(folder), host, port, limits, ready)
