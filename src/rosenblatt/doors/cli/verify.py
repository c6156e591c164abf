"""`rosenblatt verify`: is this proof right? In exact arithmetic, from the proof and the data alone."""

from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, answer_is_no, as_json, ending_at_once, print_json
from rosenblatt.doors.cli.data_file import DATA_FILE, file_argument, reads_data_as_it_is
from rosenblatt.doors.cli.proof_file import MOST_BYTES, read_proof
from rosenblatt.services.files.reading import Reading


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt verify proof.json and.csv
    """,
)
@click.argument("proof", type=DATA_FILE)
@file_argument()
@click.option(
    "--max-bytes",
    type=click.IntRange(1),
    default=MOST_BYTES,
    show_default=True,
    help="The most that PROOF may have, unpacked.",
)
@as_json
@reads_data_as_it_is
def verify(proof: str, file: str, files: Reading, max_bytes: int, as_json: bool) -> None:
    """Check a PROOF against the data in FILE, exactly.

    PROOF is what `rosenblatt certify -o` writes; each of its claims is checked, by code that shares nothing with the
    code that found it. Exit codes: 0 verified, 3 refused.
    """
    if proof == "-" == file:
        raise click.UsageError("PROOF and FILE cannot both be standard input")
    with ending_at_once():
        found = _verified(proof, file, files, max_bytes)
    if as_json:
        print_json({"ok": found.ok, "reason": found.reason, "reading": found.reading})
    else:
        click.echo(found)
    if not found:
        answer_is_no()


def _verified(proof: str, file: str, files: Reading, max_bytes: int) -> Any:
    from rosenblatt.base.exceptions import DataFileError
    from rosenblatt.services.proofs.verify import refusal, verify

    try:
        claims = read_proof(proof, max_bytes)
    except DataFileError:
        raise
    except ValueError as error:
        return refusal(str(error))
    X, y, *_ = files.read(file, fractions=claims["as_decimal"])
    return verify(claims, X, y)
