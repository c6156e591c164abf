"""A tagger learns and answers where scikit-learn, scipy, pandas and joblib cannot be imported, to the same bytes."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rosenblatt import SequenceTagger
from rosenblatt.base.record.parts import Tensors
from rosenblatt.data.sentences import load_sentences
from rosenblatt.members.run import Pass
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.services.records.safetensors import Sealed

SENTENCES = load_sentences()
REST = "_\t0\t_\t_\t_\n"

# Trains from train.{txt,conllu} in the folder, and writes the record of the model, what it tags, and the passes.
CHILD = """
import sys
for name in ("sklearn", "scipy", "pandas", "joblib"):
    sys.modules[name] = None  # an import of it raises
from pathlib import Path
from rosenblatt.base.record.parts import Parts
from rosenblatt.services.records.safetensors import Sealed
from rosenblatt.services.sentences.tagging import file_columns, fit_tagger_file, tag_file
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters

FILE = Sealed("a tagger", "format", "tagger", 1)

def restored(path, parameters, model):
    record, tensors = FILE.read(path)
    parts = Parts(record, tensors)
    found = TaggerModel.from_record(parameters, model.n_features, model.classes, parts)
    parts.end()
    return found

def run(name, train, parameters, n_best, **options):
    passes = []
    parameters = TaggerParameters.of(**parameters)
    model = fit_tagger_file(parameters, train, watch=passes.append, **options)
    tensors = {}
    FILE.write(f"{name}.record", model.to_record(tensors), tensors)
    tag_file(model, train, f"{name}.tagged", n_best=n_best, scores=n_best > 1)
    again = restored(f"{name}.record", parameters, model)
    tag_file(again, train, f"{name}.again", n_best=n_best, scores=n_best > 1)
    tensors = {}
    FILE.write(f"{name}.record-again", again.to_record(tensors), tensors)
    passes = [(one.number, one.mistakes, one.sentence_mistakes, one.score) for one in passes]
    Path(f"{name}.passes").write_text(repr(passes))
    Path(f"{name}.columns").write_text(repr(tuple(file_columns(again, train))))
    Path(f"{name}.nbest").write_text(repr(again.predict_nbest([[("a", "DT"), ("dog", "NN")]], 3)))

run(*eval(sys.argv[1]), **eval(sys.argv[2]))
assert not [name for name in sys.modules if name.startswith(("sklearn.", "scipy.", "pandas.", "joblib."))]
"""
CASES: dict[str, tuple[tuple[str, str, dict[str, Any], int], dict[str, Any]]] = {
    "columns": (("m", "train.txt", {"templates": "chunk", "max_iter": 3}, 2), {}),
    "held-out": (("m", "train.txt", {"templates": "chunk", "early_stopping": True, "step": "pa1"}, 3), {}),
    "universal": (("m", "train.conllu", {"early_stopping": True, "refit": False}, 1), {"tag": "xpos"}),
    "dev": (("m", "train.txt", {"templates": "ner", "readout": "last"}, 1), {"dev": "dev.txt", "tag": 1}),
}


@pytest.mark.parametrize("case", CASES)
def test_the_same_bytes(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.txt").write_bytes(SENTENCES.text)
    Path("dev.txt").write_bytes(b"A DT B-NP\ngarden NN I-NP\nreads VBZ B-VP\n. . O\n")
    universal = "".join(
        "".join(f"{k}\t{form}\t_\t{tag}\t{chunk}\t{REST}" for k, (form, tag, chunk) in enumerate(sentence, 1)) + "\n"
        for sentence in SENTENCES
    )
    Path("train.conllu").write_text(universal, encoding="utf-8")
    (name, train, parameters, n_best), options = CASES[case]
    args = [sys.executable, "-c", CHILD, repr((name, train, parameters, n_best)), repr(options)]
    ended = subprocess.run(args, capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr.decode()

    passes: list[Pass] = []
    model = SequenceTagger(**parameters).fit_file(train, watch=passes.append, **options)
    model.tag_file(train, "tagged", n_best=n_best, scores=n_best > 1)
    member: TaggerModel = model._model
    tensors: Tensors = {}
    Sealed("a tagger", "format", "tagger", 1).write("record", member.to_record(tensors), tensors)
    for there, here in (("record", "record"), ("record-again", "record"), ("tagged", "tagged"), ("again", "tagged")):
        assert Path(f"m.{there}").read_bytes() == Path(here).read_bytes(), there
    assert Path("m.passes").read_text() == repr([(p.number, p.mistakes, p.sentence_mistakes, p.score) for p in passes])
    assert Path("m.columns").read_text() == repr(tuple(model.file_columns_))
    assert Path("m.nbest").read_text() == repr(model.predict_nbest([[("a", "DT"), ("dog", "NN")]], 3))
