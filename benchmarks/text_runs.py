"""Classifiers of texts of others, each a process: `python -m benchmarks.text_runs WAY FOLDER train` or `... answer`.

FOLDER has train.csv and test.csv with the columns text and label, and what was made of them for a peer beforehand,
which its seconds do not count. `train` leaves a model there, `answer` the labels of the test file in WAY.labels.
"""

import csv
import pickle
import re
import sys
from pathlib import Path
from typing import Any

csv.field_size_limit(1 << 30)
ALONE = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"  # Chinese and Japanese characters: there are no blanks between words
WORD = re.compile(rf"[{ALONE}]|[^\W{ALONE}]+|[^\w\s]")


def rows(path: Path) -> tuple[list[str], list[str]]:
    """Texts and labels."""
    with path.open(newline="", encoding="utf-8") as file:
        found = [(row["text"], row["label"]) for row in csv.DictReader(file)]
    return [text for text, _ in found], [label for _, label in found]


def prepare(folder: Path) -> None:
    """What Vowpal Wabbit and fastText read: lower case, words and signs apart, as their manuals advise.

    Chinese and Japanese characters stand apart too: on a set of Chinese reviews that is .91 in place of .80 for Vowpal
    Wabbit, for some more of its time.
    """
    numbers = {label: k for k, label in enumerate(sorted(set(rows(folder / "train.csv")[1])), start=1)}
    (folder / "labels.txt").write_text("\n".join(numbers), encoding="utf-8")
    for part in ("train", "test"):
        with (
            (folder / f"{part}.vw").open("w", encoding="utf-8") as vw,
            (folder / f"{part}.ft").open("w", encoding="utf-8") as ft,
        ):
            for text, label in zip(*rows(folder / f"{part}.csv"), strict=True):
                words = " ".join(WORD.findall(text.lower()))
                vw.write(f"{numbers.get(label, 1)} | {words.replace(':', 'COLON').replace('|', 'BAR')}\n")
                ft.write(f"__label__{numbers.get(label, 1)} {words}\n")


def sklearn_way(way: str, folder: Path, job: str) -> list[str] | None:
    """TfidfVectorizer with pairs of words, or n-grams of characters where there are no blanks between words."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.naive_bayes import ComplementNB
    from sklearn.pipeline import make_pipeline
    from sklearn.svm import LinearSVC

    if job == "train":
        texts, labels = rows(folder / "train.csv")
        blanks = sum(text.count(" ") for text in texts) / sum(map(len, texts))
        words: dict[str, Any] = {"ngram_range": (1, 2)}
        if blanks < 0.05:
            words = {"analyzer": "char", "ngram_range": (1, 3)}
        models: dict[str, Any] = {
            "LinearSVC": LinearSVC(random_state=0),
            "LogisticRegression": LogisticRegression(C=10, max_iter=1000),
            "ComplementNB": ComplementNB(),
        }
        model = make_pipeline(TfidfVectorizer(sublinear_tf=True, **words), models[way]).fit(texts, labels)
        (folder / f"{way}.model").write_bytes(pickle.dumps(model))
        return None
    model = pickle.loads((folder / f"{way}.model").read_bytes())
    answers: list[str] = model.predict(rows(folder / "test.csv")[0]).tolist()
    return answers


def several_way(way: str, folder: Path, job: str) -> list[str] | None:
    """A LinearSVC for each label, a blank between labels; words, or pairs of words too."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.multiclass import OneVsRestClassifier
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import MultiLabelBinarizer
    from sklearn.svm import LinearSVC

    path = folder / f"{way}.model"
    if job == "train":
        texts, labels = rows(folder / "train.csv")
        sets = MultiLabelBinarizer()
        features = TfidfVectorizer(sublinear_tf=True, ngram_range=(1, 2 if "pairs" in way else 1))
        model = make_pipeline(features, OneVsRestClassifier(LinearSVC(random_state=0)))
        model.fit(texts, sets.fit_transform([label.split(" ") for label in labels]))
        path.write_bytes(pickle.dumps((sets, model)))
        return None
    sets, model = pickle.loads(path.read_bytes())
    return [" ".join(answer) for answer in sets.inverse_transform(model.predict(rows(folder / "test.csv")[0]))]


def vw_way(way: str, folder: Path, job: str) -> list[str] | None:
    """Pairs of words, 2^22 weights, logistic loss, five passes."""
    from vowpalwabbit import Workspace

    names = (folder / "labels.txt").read_text(encoding="utf-8").split("\n")
    model, out = folder / f"{way}.model", folder / "vw.answers"
    if job == "train":
        words = f"--oaa {len(names)} --loss_function logistic --ngram 2 -b 22 --passes 5 --holdout_off -k"
        files = f"--cache_file {folder / 'vw.cache'} -d {folder / 'train.vw'} -f {model}"
        Workspace(f"{words} {files} --quiet").finish()
        return None
    Workspace(f"-t -i {model} -d {folder / 'test.vw'} -p {out} --quiet").finish()
    return [names[int(float(line.split()[0])) - 1] for line in out.read_text().splitlines()]


def fasttext_way(way: str, folder: Path, job: str) -> list[str] | None:
    """Pairs of words; its defaults, or 25 epochs. Its Python `predict` does not work with numpy 2, its core does."""
    import fasttext

    names = (folder / "labels.txt").read_text(encoding="utf-8").split("\n")
    if job == "train":
        epochs = {"epoch": 25} if "25" in way else {}
        model = fasttext.train_supervised(str(folder / "train.ft"), wordNgrams=2, thread=1, verbose=0, **epochs)
        model.save_model(str(folder / f"{way}.model"))
        return None
    model = fasttext.load_model(str(folder / f"{way}.model"))
    lines = (folder / "test.ft").read_text(encoding="utf-8").splitlines()
    best = [model.f.predict(line.partition(" ")[2] + "\n", 1, 0.0, "strict") for line in lines]
    return [names[int(found[0][1].removeprefix("__label__")) - 1] if found else names[0] for found in best]


WAYS = {
    "LinearSVC": sklearn_way,
    "LogisticRegression": sklearn_way,
    "ComplementNB": sklearn_way,
    "vowpal": vw_way,
    "fasttext": fasttext_way,
    "fasttext25": fasttext_way,
}
SEVERAL = {"LinearSVC words": several_way, "LinearSVC pairs": several_way}

if __name__ == "__main__":
    name, place, wanted = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    answers = (WAYS | SEVERAL)[name](name, place, wanted)
    if answers is not None:
        (place / f"{name}.labels").write_text("\n".join(answers), encoding="utf-8")
