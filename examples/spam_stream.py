"""Spam, learned online by a server that is killed in the middle: receive, predict, receive the label, update.

Mail comes one by one, and each is predicted before its label is known, so that the mistakes are an honest count. Half
way the spammers change their words, and the model follows. When the server is killed with SIGKILL and started again,
nothing that it acknowledged is lost: at the end its weights are those of a replay of its log, to the bit.
"""

import random
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.sparse import csr_array

import rosenblatt
from rosenblatt.serve import Client

N_MAILS, SHOWN, BATCH, WORDS_A_MAIL, FEATURES = 4000, 500, 100, 12, 2**16
SIZES = {"word": 300, "office": 80, "pills": 80, "crypto": 80}
COMMON, OFFICE, EARLY, LATE = ([f"{name}{k}" for k in range(n)] for name, n in SIZES.items())


def mail(number: int, draw: random.Random) -> tuple[str, str]:
    """A text and its label; from the middle of the stream on, spam has other words."""
    spam = EARLY if number < N_MAILS // 2 else LATE
    label, own, other = draw.choice((("ham", OFFICE, spam), ("spam", spam, OFFICE)))
    words = draw.choices(COMMON, k=WORDS_A_MAIL) + draw.choices(own, k=2) + draw.choices(other, k=draw.random() < 0.2)
    return " ".join(words), label


def features(text: str) -> dict[int, float]:
    """Each word is a feature: its hash."""
    return {crc32(word.encode()) % FEATURES: 1.0 for word in text.split()}


def start(folder: str) -> tuple[subprocess.Popen[str], Client]:
    """A server, and a client of it."""
    command = [sys.executable, "-m", "rosenblatt", "serve", folder, "--port", "0"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = re.search(r"http://\S+", process.stdout.readline())
    assert found is not None
    return process, Client(found[0])


def main() -> None:
    draw = random.Random(0)
    stream = [mail(number, draw) for number in range(N_MAILS)]
    with tempfile.TemporaryDirectory() as folder:
        server, client = start(folder)
        client.create("spam", step="pa1", C=0.1, n_features=FEATURES, classes=["ham", "spam"])
        mistakes = 0
        for begin in range(0, N_MAILS, BATCH):
            texts, labels = zip(*stream[begin : begin + BATCH], strict=True)
            learned = client.learn("spam", [features(text) for text in texts], labels)
            mistakes += sum(one.mistake for one in learned)
            if (begin + BATCH) % SHOWN == 0:
                print(f"mails {begin + BATCH - SHOWN + 1:4} to {begin + BATCH}: {mistakes:3} mistakes")
                mistakes = 0
            if begin == 1400:
                server.send_signal(signal.SIGKILL)
                server.wait()
                print("the server is killed, and started again")
                server, client = start(folder)
        Path(folder, "spam.safetensors").write_bytes(client.file("spam"))
        served, log = rosenblatt.load(Path(folder, "spam.safetensors")), list(client.log("spam"))
        server.terminate()
        server.wait()
    X, y = matrix([entry.x for entry in log]), [entry.y for entry in log]
    replayed = rosenblatt.Perceptron(step="pa1", C=0.1, readout="average").partial_fit(X, y)
    same = bool((served.coef_ == replayed.coef_).all())
    print(f"{len(log)} mails in the log; the weights of a replay: {'the same' if same else 'others'}")


def matrix(rows: list[dict[str, float]]) -> csr_array:
    """Rows of the log as a matrix."""
    starts = np.cumsum([0, *map(len, rows)])
    pairs = [(int(k), value) for row in rows for k, value in sorted(row.items(), key=lambda item: int(item[0]))]
    columns, values = zip(*pairs, strict=True)
    return csr_array((values, columns, starts), shape=(len(rows), FEATURES))


if __name__ == "__main__":
    main()
