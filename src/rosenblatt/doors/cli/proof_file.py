"""A proof as a file: JSON, read as plain data, strictly and not whatever its size. Nothing of it is believed here."""

import json
import math
from fractions import Fraction
from typing import Any

MOST_BYTES = 64 << 20  # unpacked; a proof in integers of 10,000 digits for 300 features has 3 MB


def read_proof(path: str, most: int = MOST_BYTES) -> dict[str, Any]:
    """The claims of a certificate. What is no JSON is a DataFileError, and what is no certificate a ValueError."""
    from rosenblatt.base.exceptions import DataFileError
    from rosenblatt.services.files.compressed import read_whole
    from rosenblatt.services.proofs.verify.form import read_claims

    content, name = read_whole(path, most, "a proof")
    try:
        return read_claims(content)
    except json.JSONDecodeError as error:
        found = repr(error.doc[error.pos]) if error.pos < len(error.doc) else "the end of the file"
        raise DataFileError(name, error.lineno, error.colno, "JSON", found) from None
    except UnicodeDecodeError as error:
        raise DataFileError(name, 1, 1, "JSON", str(error)) from None


def read_certificate(path: str) -> Any:
    """The certificate, of lines or of a kernel; whether it is right, only `rosenblatt verify` tells."""
    from rosenblatt.services.proofs.certificate import Certificate, KernelCertificate
    from rosenblatt.services.proofs.verify.form import is_of_kernel

    claims = read_proof(path)
    return (KernelCertificate if is_of_kernel(claims) else Certificate).of_claims(claims)


def _number(value: int | Fraction) -> int | float:
    return value if isinstance(value, int) else float(value)


def summary(proof: Any) -> dict[str, Any]:
    """What a certificate says, without the proof; a bound is a number of mistakes, and null if none is proven."""
    if hasattr(proof, "kernel"):
        given = {name: getattr(proof, name) for name in ("gamma", "coef0", "degree")}
        kernel = {name: _number(value) for name, value in given.items() if value is not None}
        own: dict[str, Any] = {"kernel": {"name": proof.kernel, **kernel}}
    else:
        own = {"kind": proof.kind, "engine": proof.engine}
    names = ("separable", "n_rows", "n_features", "classes", "margin", "radius", "bound", "data")
    said = {name: getattr(proof, name) for name in names}
    said["margin"] = [value if math.isfinite(value) else None for value in proof.margin]
    said["radius"] = proof.radius if math.isfinite(proof.radius) else None
    said["bound"] = math.floor(proof.bound) if math.isfinite(proof.bound) else None
    return {"separable": proof.separable, **own, **said, "conventions": proof.conventions}
