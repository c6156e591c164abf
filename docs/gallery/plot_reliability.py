"""
Probabilities that hold
=======================

Made texts, some full of words of their topic, some with hardly one among words of all topics. Left, probabilities of
scores as they are; right, those of ``predict_proba``. A bar is how often answers of this probability are right: it
should end on the line.
"""

import numpy as np
from matplotlib import pyplot as plt

from rosenblatt import TextClassifier

random = np.random.RandomState(0)
topics, words = np.array(["garden", "kitchen", "sea", "street"]), np.array([f"word{k}" for k in range(400)])


def notes(n: int) -> tuple[list[str], list[str]]:
    labels = random.randint(4, size=n)
    clear = random.rand(n, 1) < random.rand(n, 12) ** 2  # more of a text's words are of its topic, or fewer
    numbers = np.where(
        clear, labels[:, np.newaxis] * 100 + random.randint(100, size=(n, 12)), random.randint(400, size=(n, 12))
    )
    return [" ".join(words[of_text]) for of_text in numbers], topics[labels].tolist()


model = TextClassifier().fit(*notes(10_000))
texts, labels = notes(10_000)
powers = np.exp(model.decision_function(texts))

figure, axes = plt.subplots(1, 2, figsize=(7.6, 3.6), layout="compressed", sharey=True)
bins = np.linspace(0, 1, 16)
for axis, name, p in (
    (axes[0], "scores as they are", powers / powers.sum(axis=1, keepdims=True)),
    (axes[1], "predict_proba", model.predict_proba(texts)),
):
    sure, right = p.max(axis=1), model.predict(texts) == np.array(labels)
    number = np.minimum((sure * 15).astype(int), 14)
    rows = np.bincount(number, minlength=15)
    share = np.bincount(number, right, minlength=15) / np.maximum(rows, 1)
    error = np.abs(np.bincount(number, sure - right, minlength=15)).sum() / len(sure)
    share[rows < 20] = 0  # too few to tell
    axis.bar(bins[:-1], share, width=1 / 15, align="edge", color="#4477aa", edgecolor="white")
    axis.plot([0, 1], [0, 1], color="#cc3311", linewidth=1)
    axis.set(title=f"{name}: error {error:.3f}", xlabel="probability of the answer", xlim=(0, 1), ylim=(0, 1))
axes[0].set_ylabel("share of right answers")
