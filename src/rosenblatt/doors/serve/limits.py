"""The limits of a server: for one request, for all waiting requests, and for the time of a client."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Each limit can be set on the command line."""

    header: int = 16 * 2**10  # bytes of a request's address and headers
    body: int = 32 * 2**20  # bytes of a request, and about the bytes of the scores in an answer
    bodies: int = 512 * 2**20  # bytes of all requests that are being read or answered
    rows: int = 10_000  # rows of a request
    features: int = 2**24  # the largest width of a model
    weights: int = 2**26  # features times classes, of one model
    labels: int = 1_000  # labels of one model: a new label copies all weights, and a tagger's step looks at all pairs
    steps: int = 10**10  # steps to learn or to answer a request: about a nanosecond each
    queue: int = 100_000  # examples that wait to be learned, of one model
    kept: int = 1_000_000  # predictions that wait for their label, of one model
    seconds: float = 30.0  # seconds for a request to arrive
    connections: int = 2_000
    ending: float = 30.0  # seconds from the signal to the end of the process
    snapshot_every: int = 50_000  # examples between two snapshots
    snapshots: int = 3  # snapshots that are kept


LARGEST = 1e100  # the largest value: squares of values and their sums are still finite
