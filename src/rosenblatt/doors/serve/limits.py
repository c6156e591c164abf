"""How much a server takes: of one request, of all that wait, and of a client's time."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Each may be given on the command line."""

    header: int = 16 * 2**10  # bytes of a request's address and headers
    body: int = 32 * 2**20  # bytes of a request, and about those of the scores of an answer
    bodies: int = 512 * 2**20  # bytes of all requests that are being read or answered
    rows: int = 10_000  # of a request
    features: int = 2**24  # the largest width of a model
    weights: int = 2**26  # features times classes, of one model
    labels: int = 1_000  # of one model: a new one copies all weights, and a tagger's step looks at all pairs
    steps: int = 10**10  # to learn or to answer a request: about a nanosecond each
    queue: int = 100_000  # examples that wait to be learned, of one model
    kept: int = 1_000_000  # predictions that wait for their label, of one model
    seconds: float = 30.0  # for a request to come
    connections: int = 2_000
    ending: float = 30.0  # seconds from the signal to the end of the process
    snapshot_every: int = 50_000  # examples
    snapshots: int = 3  # that are kept


LARGEST = 1e100  # of a value: squares and sums of them are still numbers
