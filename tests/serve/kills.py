"""Kills a server again and again while others teach it, then compares what was acknowledged with what it knows.

`python -m tests.serve.kills --kills 1000` is `make soak`. Writers send batches without a pause, and send a batch again,
with the same ids, until it is acknowledged: by the server that was killed, or by one of those after it. The moments to
kill are random within three kinds: while it starts, while it learns, and when a snapshot appears on its disk.
"""

import argparse
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rosenblatt.doors.serve.client import Learned, Logged
from rosenblatt.members.kernel.online import KernelOnline
from rosenblatt.members.kernel.parameters import KernelParameters
from rosenblatt.members.linear.online import LinearOnline
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.sentences.tagger.online import TaggerOnline
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.serve import Client, UnavailableError
from tests.serve.replay import file_of, row_of
from tests.serve.server import PATIENCE, Server

MOMENTS = ("start", "learn", "learn", "snapshot")
MODEL, WRITERS, WIDTH = "killed", 4, 8
OPTIONS = ("--snapshot-every", "40")
STARTS_WITHIN = 1.0  # seconds in which a server that starts is killed; it may be up by then, and that is well

Draw = Callable[[random.Random], tuple[Any, Any]]  # an example: a row and its label


def dense(draw: random.Random) -> tuple[list[float], str]:
    """A row that no two orders of summation agree on, and a noisy label."""
    x = [draw.gauss(0, 1) for _ in range(WIDTH)]
    return x, "spam" if sum(x) + draw.gauss(0, 1) > 0 else "ham"


def sentence(draw: random.Random) -> tuple[list[str], list[str]]:
    """A few words, each with the tag that it mostly has."""
    words = draw.choices(["the", "dog", "barks", "a", "cat", "sleeps", "run", "runs"], k=draw.randint(1, 6))
    return words, [draw.choice(["DET", "NOUN", "VERB"]) if draw.random() < 0.1 else word[-1].upper() for word in words]


def mixed(draw: random.Random) -> tuple[Any, str]:
    """Dense rows and sparse ones, of classes that come as they come."""
    x, _ = dense(draw)
    label = str(max(range(4), key=lambda k: x[k]))
    return (x, label) if draw.random() < 0.5 else ({str(k): value for k, value in enumerate(x) if value > 0}, label)


@dataclass(frozen=True)
class Kind:
    """A model to be killed: what it is made of, what it is taught, and the same run without a server."""

    kind: str
    parameters: dict[str, Any]
    begin: Callable[[dict[str, Any]], Any]
    draw: Draw = dense
    made: dict[str, Any] = field(default_factory=dict)  # what else `create` is told

    def replayed(self, log: list[Logged]) -> bytes:
        """The model file of a run over the log, one example after the other."""
        run = self.begin(self.parameters)
        for entry in log:
            x = entry.x if self.kind == "SequenceTagger" else row_of(entry.x, WIDTH)
            (taken,) = run.learn([x] if self.kind == "SequenceTagger" else x, [entry.y])
            assert taken.label == entry.predicted, entry.seq
        return file_of(run)


def _linear(parameters: dict[str, Any]) -> Any:
    return LinearOnline(PerceptronParameters(**{"readout": "average", **parameters}))  # as the server makes it


KINDS = {
    "linear": Kind("Perceptron", {"step": "pa1", "readout": "average"}, _linear),
    "classes": Kind("Perceptron", {"step": "arow"}, _linear, mixed, {"n_features": WIDTH}),
    "kernel": Kind(
        "KernelPerceptron", {"kernel": "rbf", "gamma": 0.5, "budget": 30}, lambda p: KernelOnline(KernelParameters(**p))
    ),
    "tagger": Kind("SequenceTagger", {}, lambda p: TaggerOnline(TaggerParameters(**p)), sentence),
}


@dataclass
class Soak:
    """One run: the server that is up, what was acknowledged, and the writers."""

    folder: Path
    kind: Kind
    seed: int
    address: str | None = None
    acknowledged: dict[str, tuple[Any, Any, Learned]] = field(default_factory=dict)
    repeats: int = 0
    errors: list[BaseException] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    up: threading.Condition = field(default_factory=threading.Condition)

    def run(self, kills: int, *, say: Callable[[str], None] = lambda _: None) -> None:
        """Kill it so often; then let the writers end, and check everything."""
        draw = random.Random(self.seed)
        writers = [threading.Thread(target=self._write, args=(number,), daemon=True) for number in range(WRITERS)]
        for writer in writers:
            writer.start()
        for number in range(kills):
            moment = "learn" if number == 0 else draw.choice(MOMENTS)
            self._life(moment, draw)
            if self.errors:
                raise self.errors[0]
            say(f"kill {number + 1} of {kills}, at {moment}: {len(self.acknowledged)} examples acknowledged")
        server = Server(self.folder, *OPTIONS)
        try:
            self._announce(server.address)
            self.over.set()
            for writer in writers:
                writer.join(PATIENCE)
                assert not writer.is_alive(), "a writer did not get its last answer"
            if self.errors:
                raise self.errors[0]
            self.check(server.address)
            ready = server.ask("GET", "/readyz")
            assert ready.status == 200, ready.body
            assert server.stop() == 0
        finally:
            server.process.kill()

    def _life(self, moment: str, draw: random.Random) -> None:
        """From a start to a kill."""
        if moment == "start":
            command = [sys.executable, "-m", "rosenblatt", "serve", str(self.folder), "--port", "0"]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
                time.sleep(draw.uniform(0, STARTS_WITHIN))
                process.kill()
            return
        server = Server(self.folder, *OPTIONS)
        try:
            with Client(server.address) as client:
                client.create(MODEL, self.kind.kind, **self.kind.made, **self.kind.parameters)
            before, files = len(self.acknowledged), self._snapshots()
            self._announce(server.address)
            self._wait(lambda: len(self.acknowledged) > before)
            if moment == "snapshot":
                self._wait(lambda: self._snapshots() != files)
            else:
                time.sleep(draw.uniform(0, 0.2))
        finally:
            self.address = None
            server.kill()

    def _wait(self, true: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not true() and not self.errors:
            assert time.monotonic() < end, "nothing was acknowledged, or no snapshot written, for minutes"
            time.sleep(0.001)

    def _snapshots(self) -> set[str]:
        """All files of the folder of snapshots, half-written ones too."""
        return {path.name for path in (self.folder / MODEL / "snapshots").glob("*")}

    def _announce(self, address: str) -> None:
        with self.up:
            self.address = address
            self.up.notify_all()

    def _write(self, number: int) -> None:
        """Teach, batch by batch; a batch is sent until it is acknowledged."""
        draw = random.Random(f"{self.seed} {number}")
        try:
            batch = 0
            while not self.over.is_set():
                examples = [self.kind.draw(draw) for _ in range(draw.choice((1, 1, 3, 17)))]
                ids = [f"{number}-{batch}-{k}" for k in range(len(examples))]
                batch += 1
                learned = self._sent(ids, examples)
                found = zip(ids, examples, learned, strict=True)
                self.acknowledged |= {key: (*example, one) for key, example, one in found}
        except BaseException as error:
            self.errors.append(error)

    def _sent(self, ids: list[str], examples: list[tuple[Any, Any]]) -> list[Learned]:
        while True:
            with self.up:
                if not self.up.wait_for(lambda: self.address is not None, PATIENCE):
                    raise AssertionError("no server was up for minutes")
                address = self.address
            assert address is not None
            try:
                with Client(address, patience=0) as client:
                    return client.learn(MODEL, [x for x, _ in examples], [y for _, y in examples], ids)
            except UnavailableError:
                self.repeats += 1
                time.sleep(0.01)

    def check(self, address: str) -> None:
        """What was promised."""
        with Client(address) as client:
            log = list(client.log(MODEL))
            content, about = client.file(MODEL), client.model(MODEL)
        assert [entry.seq for entry in log] == list(range(1, len(log) + 1))
        by_id = {entry.id: entry for entry in log}
        assert len(by_id) == len(log), "an id was counted twice"
        for key, (x, y, learned) in self.acknowledged.items():
            entry = by_id[key]
            assert (entry.seq, entry.x, entry.y, entry.predicted) == (learned.seq, x, y, learned.predicted)
        assert about["mistakes"] == sum(entry.predicted != entry.y for entry in log)
        assert content == self.kind.replayed(log), "a replay gives another model"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.serve.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="in all, over all kinds of models (%(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the moments and the examples (%(default)s)")
    options = parser.parse_args()
    for name, kind in KINDS.items():
        with tempfile.TemporaryDirectory(prefix="rosenblatt-soak-") as folder:
            soak = Soak(Path(folder, "served"), kind, options.seed)
            soak.run(-(-options.kills // len(KINDS)), say=lambda text, name=name: print(f"{name}: {text}", flush=True))  # type: ignore[misc]
            print(f"{name}: nothing lost, nothing twice, the same bits; {soak.repeats} batches were sent again")


if __name__ == "__main__":
    main()
