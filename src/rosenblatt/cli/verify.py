"""`rosenblatt verify`: is this proof right? In exact arithmetic, from the proof and the data alone."""

import click

from rosenblatt.cli.command import WithExamples, answer_is_no, as_json, print_json
from rosenblatt.cli.data_file import DATA_FILE, DataFiles, file_argument, reads_data
from rosenblatt.cli.proof_file import read_proof


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt verify proof.json and.csv
    """,
)
@click.argument("proof", type=DATA_FILE)
@file_argument()
@as_json
@reads_data
def verify(proof: str, file: str, files: DataFiles, as_json: bool) -> None:
    """Check a PROOF against the data in FILE, exactly.

    PROOF is what `rosenblatt certify -o` writes; each of its claims is checked, by code that shares nothing with the
    code that found it. Exit codes: 0 verified, 3 refused.
    """
    if proof == "-" == file:
        raise click.UsageError("PROOF and FILE cannot both be standard input")
    from rosenblatt.theory.verify import verify as verified

    claims = read_proof(proof)
    decimal = isinstance(claims, dict) and claims.get("as_decimal") is True
    X, y, *_ = files.read(file, fractions=decimal)
    found = verified(claims, X, y)
    if as_json:
        print_json({"ok": found.ok, "reason": found.reason, "reading": found.reading})
    else:
        click.echo(found)
    if not found:
        answer_is_no()
