"""`rosenblatt certify` and `verify`: whether data is separable, with a proof, and whether such a proof is right.

A proof is a JSON file. It is read strictly, as plain data, up to a limit of size, and nothing in it is trusted.
"""

import json
import math
from fractions import Fraction
from typing import Any

import click

from rosenblatt.doors.cli.command import WithExamples, answer_is_no, as_json, ending_at_once, output, print_json, write
from rosenblatt.doors.cli.data_file import DATA_FILE, file_argument, reads_data_as_it_is
from rosenblatt.doors.cli.parameters import NUMBER, Typed, number
from rosenblatt.services.files.reading import Reading

MOST_BYTES = 64 << 20  # of the unpacked file; a proof with 300 integers of 10,000 digits has 3 MB


def read_proof(path: str, most: int = MOST_BYTES) -> dict[str, Any]:
    """The claims of a certificate. No JSON raises a DataFileError; JSON that is no certificate, a ValueError."""
    from rosenblatt.base.exceptions import DataFileError
    from rosenblatt.services.files.compressed import read_whole
    from rosenblatt.services.proofs.verify.form import read_claims

    content, name = read_whole(path, most, "a proof")
    try:
        return read_claims(content)
    except json.JSONDecodeError as error:
        what = repr(error.doc[error.pos]) if error.pos < len(error.doc) else "the end of the file"
        raise DataFileError(name, error.lineno, error.colno, "JSON", what) from None
    except UnicodeDecodeError as error:
        raise DataFileError(name, 1, 1, "JSON", str(error)) from None


def read_certificate(path: str) -> Any:
    """Read a certificate of planes or of a kernel. Only `rosenblatt verify` tells whether it is right."""
    from rosenblatt.services.proofs.certificate import Certificate, KernelCertificate
    from rosenblatt.services.proofs.verify.form import is_of_kernel

    claims = read_proof(path)
    return (KernelCertificate if is_of_kernel(claims) else Certificate).of_claims(claims)


def _number(value: int | Fraction) -> int | float:
    return value if isinstance(value, int) else float(value)


def summary(proof: Any) -> dict[str, Any]:
    """What a certificate says, without the proof. A bound is a number of mistakes, or null if none is proven."""
    if hasattr(proof, "kernel"):
        numbers = {name: getattr(proof, name) for name in ("gamma", "coef0", "degree")}
        kernel = {name: _number(value) for name, value in numbers.items() if value is not None}
        special: dict[str, Any] = {"kernel": {"name": proof.kernel, **kernel}}
    else:
        special = {"kind": proof.kind, "engine": proof.engine}
    names = ("separable", "n_rows", "n_features", "classes", "margin", "radius", "bound", "data")
    facts = {name: getattr(proof, name) for name in names}
    facts["margin"] = [value if math.isfinite(value) else None for value in proof.margin]
    facts["radius"] = proof.radius if math.isfinite(proof.radius) else None
    facts["bound"] = math.floor(proof.bound) if math.isfinite(proof.bound) else None
    return {"separable": proof.separable, **special, **facts, "conventions": proof.conventions}


GAMMA = Typed("number|scale|auto", lambda text: text if text in ("scale", "auto") else number(text))
NUMBERS = Typed("w0,w1,...", lambda text: [number(part) for part in text.split(",")])
OF_LINES = ("fit_intercept", "intercept_scaling", "center", "gap", "start")
OF_THE_KERNEL = ("degree", "gamma", "coef0")


@click.command(
    cls=WithExamples,
    examples="""
        rosenblatt certify data.svm
        rosenblatt certify and.csv -o proof.json
        rosenblatt certify and.csv --center --as-decimal
        rosenblatt certify and.csv --start 0,0,-50
        rosenblatt certify xor.csv --kernel poly --degree 2 --gamma 1 --coef0 1
    """,
)
@file_argument()
@click.option(
    "--intercept/--no-intercept",
    "fit_intercept",
    default=None,
    help="Whether to add the constant feature.  [default: intercept]",
)
@click.option("--intercept-scaling", type=NUMBER, help="The value of that feature.  [default: 1]")
@click.option(
    "--center", is_flag=True, default=None, help="Measure x from the mean of the rows: a smaller R, a better bound."
)
@click.option("--kernel", type=click.Choice(["linear", "poly", "rbf"]), help="Decide for this kernel, not for planes.")
@click.option("--degree", type=click.IntRange(1, 999), help="The degree of poly.  [default: 3]")
@click.option("--gamma", type=GAMMA, help="The gamma of poly and rbf, as `train` has it.  [default: scale]")
@click.option("--coef0", type=NUMBER, help="The constant of linear and poly, from 0 on.  [default: 0]")
@click.option(
    "--exact/--no-exact",
    default=None,
    help="Whether to find gamma squared as a fraction, and to print it.  [default: find it for small data]",
)
@click.option(
    "--as-decimal",
    is_flag=True,
    help="Read numbers as they are written, 0.1 as 1/10, not as the nearest binary ones.",
)
@click.option(
    "--start",
    type=NUMBERS,
    help="Also print the bound of a run that starts from these weights, the constant feature's first; with a learning "
    "rate other than 1, divide them by it.",
)
@click.option("--gap", type=NUMBER, help="Stop when the bounds of the margin are so close, relative to the upper one.")
@click.option("--budget", type=NUMBER, default="10", show_default=True, help="Seconds after which to give up.")
@output("Where the proof goes, for `rosenblatt verify`; - instead of the summary.", default=None)
@as_json
@reads_data_as_it_is
def certify(
    file: str,
    files: Reading,
    kernel: str | None,
    exact: bool | None,
    as_decimal: bool,
    budget: Fraction,
    output: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Decide whether FILE is separable, with a proof.

    The boundary is a plane, or with --kernel a surface of that kernel. Exit codes: 0 separable, 3 not separable, 1
    undecided within the budget.
    """
    words = {name: value for name, value in options.items() if value is not None}
    for name in words:
        if (name in OF_LINES) == (kernel is not None):
            option = "--no-intercept" if name == "fit_intercept" else f"--{name.replace('_', '-')}"
            raise click.UsageError(f"{option} {'has no meaning with' if kernel else 'needs'} --kernel")
    start = words.pop("start", None)
    if start is not None and words.get("center"):
        raise click.UsageError("--start: weights belong to rows as they are, leave out --center")
    X, y, *_ = files.read(file, fractions=as_decimal)
    shared = {"as_decimal": as_decimal, "budget": float(budget)}
    with ending_at_once():
        proof = _of_lines(X, y, exact, words | shared) if kernel is None else _of_kernel(X, y, kernel, words | shared)
        from_start = None if start is None else _bound_from(start, X, y, proof, words)
    if output is not None:
        write(output, f"{proof.to_json()}\n")
    if as_json:
        print_json(summary(proof) | ({} if start is None else {"bound_from_start": from_start}))
    elif output != "-":
        click.echo(proof.text(exact=bool(exact)))
        if from_start is not None:
            from rosenblatt.services.lessons.trace.numbers import quantity, vector

            click.echo(f"from w = {vector(start)}: at most {quantity(from_start, 'mistake')}, in any order")
    if proof.separable is None:
        raise click.ClickException("undecided: raise --budget")
    if not proof.separable:
        answer_is_no()


def _of_lines(X: Any, y: Any, exact: bool | None, words: dict[str, Any]) -> Any:
    from rosenblatt.services.proofs.separability import certify as certificate_of

    if words.get("center") and hasattr(X, "toarray"):
        X = X.toarray()
    if "gap" in words:
        words["gap"] = float(words["gap"])
    return certificate_of(X, y, exact="auto" if exact is None else exact, **words)


def _bound_from(start: list[Fraction], X: Any, y: Any, proof: Any, words: dict[str, Any]) -> int | None:
    """The most mistakes of a run from these weights; None if no bound is proven."""
    from rosenblatt.services.proofs.bounds import novikoff

    if not proof.separable:
        return None
    if len(start) != len(proof.w):
        raise click.UsageError(f"--start: expected {len(proof.w)} numbers, one for each weight, found {len(start)}")
    chosen = {name: words[name] for name in ("fit_intercept", "intercept_scaling") if name in words}
    return int(novikoff(X, y, w=proof.weights, **chosen).from_start(start))


def _of_kernel(X: Any, y: Any, kernel: Any, words: dict[str, Any]) -> Any:
    from rosenblatt.services.proofs.kernel_separability import certify_kernel

    return certify_kernel(X, y, kernel=kernel, **{"gamma": "scale", **words})


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
    help="The maximum size of PROOF, unpacked.",
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
        verdict = _verify(proof, file, files, max_bytes)
    if as_json:
        print_json({"ok": verdict.ok, "reason": verdict.reason, "reading": verdict.reading})
    else:
        click.echo(verdict)
    if not verdict:
        answer_is_no()


def _verify(proof: str, file: str, files: Reading, max_bytes: int) -> Any:
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
