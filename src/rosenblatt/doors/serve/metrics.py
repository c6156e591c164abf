"""The measurements of the server, in the format of Prometheus."""

import time
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)  # seconds


class Metrics:
    """Counts requests by path and status, and measures their time."""

    def __init__(self) -> None:
        self._requests: Counter[tuple[str, int]] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()

    def add(self, path: str, status: int, seconds: float) -> None:
        self._requests[path, status] += 1
        if path not in self._buckets:
            self._buckets[path] = [0] * (len(BOUNDS) + 1)
        self._buckets[path][bisect_left(BOUNDS, seconds)] += 1
        self._seconds[path] += seconds  # type: ignore[assignment]

    def text(self, models: Iterable[Any], unavailable: Iterable[Any]) -> bytes:
        lines = [*self._of_requests(), *_of_models(list(models), list(unavailable))]
        return "".join(f"{line}\n" for line in lines).encode()

    def _of_requests(self) -> Iterator[str]:
        yield from _head("requests_total", "counter", "Requests answered.")
        for (path, status), count in sorted(self._requests.items()):
            yield f'rosenblatt_requests_total{{path="{path}",status="{status}"}} {count}'
        yield from _head("request_seconds", "histogram", "How long requests took.")
        for path, buckets in sorted(self._buckets.items()):
            total = 0
            for bound, count in zip([*map(repr, BOUNDS), "+Inf"], buckets, strict=True):
                total += count
                yield f'rosenblatt_request_seconds_bucket{{path="{path}",le="{bound}"}} {total}'
            yield f'rosenblatt_request_seconds_sum{{path="{path}"}} {self._seconds[path]:.6f}'
            yield f'rosenblatt_request_seconds_count{{path="{path}"}} {total}'


_OF_A_MODEL: dict[str, tuple[str, str, Any]] = {
    "queue_examples": ("gauge", "Examples that wait to be learned.", lambda m: m.queue.size),
    "commits_total": ("counter", "Commits to the log.", lambda m: m.learner.commits),
    "commit_seconds_total": ("counter", "Seconds spent on commits.", lambda m: round(m.learner.commit_seconds, 6)),
    "examples": ("gauge", "Examples that make the model.", lambda m: m.state.tally.examples),
    "mistakes": ("gauge", "Mistakes on them, each made before its label came.", lambda m: m.state.tally.mistakes),
    "seq": ("gauge", "The newest sequence number.", lambda m: m.learner.version),
    "snapshot_seq": ("gauge", "The sequence number of the newest snapshot.", lambda m: m.snapshots.seq),
    "snapshot_age_seconds": ("gauge", "Since the newest snapshot.", lambda m: _age(m.snapshots.written_at)),
    "drift": ("gauge", "Page and Hinkley's statistic of the mistakes.", lambda m: round(m.state.tally.drift, 6)),
    "stopped": ("gauge", "Whether learning has stopped for good.", lambda m: int(m.learner.stopped is not None)),
}


def _of_models(models: list[Any], unavailable: list[Any]) -> Iterator[str]:
    yield from _head("available", "gauge", "Whether a model answers: it is open, and not damaged.")
    for answers, group in enumerate((unavailable, models)):
        yield from (f'rosenblatt_available{{model="{model.name}"}} {answers}' for model in group)
    for name, (kind, text, value) in _OF_A_MODEL.items():
        yield from _head(name, kind, text)
        for model in models:
            yield f'rosenblatt_{name}{{model="{model.name}"}} {value(model)}'


def _head(name: str, kind: str, text: str) -> tuple[str, str]:
    return f"# HELP rosenblatt_{name} {text}", f"# TYPE rosenblatt_{name} {kind}"


def _age(written_at: float | None) -> float:
    return -1.0 if written_at is None else round(time.time() - written_at, 3)
