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

import rosenblatt
from rosenblatt.serve import Client

N_MAILS, BATCH, WORDS_A_MAIL, FEATURES = 4000, 100, 12, 2**16
COMMON = [f"word{number}" for number in range(300)]
HAM = "meeting lunch report invoice thanks tomorrow minutes agenda regards project".split()
SPAM = ("cheap pills casino winner prize".split(), "crypto airdrop wallet token urgent".split())  # early, late


def mail(number: int, draw: random.Random) -> tuple[str, str]:
    """A text and its label; from the middle of the stream on, spam has other words."""
    label = draw.choice(("ham", "spam"))
    tell_tale = HAM if label == "ham" else SPAM[number >= N_MAILS // 2]
    return " ".join(draw.choices(COMMON, k=WORDS_A_MAIL) + draw.choices(tell_tale, k=2)), label


def features(text: str) -> dict[int, float]:
    """Each word is a feature: its hash."""
    return {crc32(word.encode()) % FEATURES: 1.0 for word in text.split()}


def start(folder: str) -> tuple[subprocess.Popen[str], Client]:
    """A server, and a client of it."""
    command = [sys.executable, "-m", "rosenblatt.cli", "serve", folder, "--port", "0"]
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
        for begin in range(0, N_MAILS, BATCH):
            texts, labels = zip(*stream[begin : begin + BATCH], strict=True)
            learned = client.learn("spam", [features(text) for text in texts], labels)
            if begin % 500 == 400:
                mistakes = sum(one.mistake for one in learned)
                print(f"mails {begin + 1:4} to {begin + BATCH}: {mistakes:2} mistakes of {BATCH}")
            if begin == 1400:
                server.send_signal(signal.SIGKILL)
                server.wait()
                print("the server is killed, and started again")
                server, client = start(folder)
        known, log = client.file("spam"), list(client.log("spam"))
        Path(folder, "spam.safetensors").write_bytes(known)
        server.terminate()
        served = rosenblatt.load(Path(folder, "spam.safetensors"))
    X = [[entry.x.get(str(k), 0.0) for k in range(FEATURES)] for entry in log[:0]]
    print(len(log), served, X)


if __name__ == "__main__":
    main()
