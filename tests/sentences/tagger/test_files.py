"""A tagger's files: the model and the tags of lists, whatever the format; columns that templates may not see."""

import io
import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import DataFileError, SequenceTagger, load, read_conll, save
from rosenblatt.data.sentences import load_sentences
from rosenblatt.members.run import Pass
from rosenblatt.members.sentences.tagger.templates import FileColumns
from rosenblatt.services.files.blocks import BLOCK_BYTES

SENTENCES = load_sentences()
REST = "_\t0\t_\t_\t_\n"
UNIVERSAL = "".join(
    "".join(f"{k}\t{form}\t_\t{tag}\t{chunk}\t{REST}" for k, (form, tag, chunk) in enumerate(sentence, 1)) + "\n"
    for sentence in SENTENCES
)


def same(a: SequenceTagger, b: SequenceTagger) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(a._model.chain.arrays(), b._model.chain.arrays(), strict=True))


@pytest.fixture
def columns(tmp_path: Path) -> Path:
    path = tmp_path / "train.txt"
    path.write_bytes(SENTENCES.text)
    return path


@pytest.fixture
def universal(tmp_path: Path) -> Path:
    path = tmp_path / "train.conllu"
    path.write_text(UNIVERSAL, encoding="utf-8")
    return path


def test_the_model_of_lists(columns: Path, universal: Path) -> None:
    chunks = SequenceTagger(templates="chunk").fit([[t[:2] for t in s] for s in SENTENCES], SENTENCES.column(2))
    assert same(SequenceTagger(templates="chunk").fit_file(columns), chunks)
    assert same(SequenceTagger(templates="chunk").fit_file(columns, tag=2), chunks)
    words = SequenceTagger(templates="chunk").fit_file(universal, columns=["form", "upos"], tag="xpos")
    assert same(words, chunks)
    tags = SequenceTagger().fit([[t[0] for t in s] for s in SENTENCES], SENTENCES.column(1))
    assert same(SequenceTagger().fit_file(columns, tag=1), tags)
    assert same(SequenceTagger().fit_file(universal), tags)
    assert same(SequenceTagger().fit_file(io.BytesIO(UNIVERSAL.encode()), format="conllu"), tags)
    assert same(
        SequenceTagger(early_stopping=True).fit_file(universal),
        tags.set_params(early_stopping=True).fit([[t[0] for t in s] for s in SENTENCES], SENTENCES.column(1)),
    )


def test_a_dev_file_chooses_the_passes(columns: Path, tmp_path: Path) -> None:
    dev = tmp_path / "dev.txt"
    dev.write_bytes(b"A DT B-NP\ngarden NN I-NP\nreads VBZ B-VP\n. . O\n? . B-NEW\n")
    passes: list[Pass] = []
    model = SequenceTagger(templates="chunk", max_iter=8).fit_file(columns, dev=dev, watch=passes.append)
    held_out = read_conll(dev)
    X, y = [[t[:2] for t in s] for s in held_out], held_out.column(2)
    expected = [
        SequenceTagger(templates="chunk", max_iter=n).fit_file(columns).score(X, y) for n in range(1, len(passes) + 1)
    ]
    assert model.validation_scores_.tolist() == [one.score for one in passes] == expected
    best = int(np.argmax(expected)) + 1
    assert len(passes) == min(8, best + 3)
    assert model._model.chain.visits == best * len(SENTENCES)
    assert same(model, SequenceTagger(templates="chunk", max_iter=best).fit_file(columns))
    assert [one.number for one in passes] == list(range(1, len(passes) + 1))
    assert [one.mistakes for one in passes] == model.mistakes_.tolist()
    assert [one.sentence_mistakes for one in passes] == model.sentence_mistakes_.tolist()
    model.fit([[("a", "X")]], [["A"]])
    assert not hasattr(model, "validation_scores_")
    assert not hasattr(model, "file_columns_")


@pytest.mark.parametrize("words", [{}, {"early_stopping": True}, {"early_stopping": True, "refit": False}])
def test_a_true_answer_of_watch_ends_the_run(columns: Path, words: dict[str, Any]) -> None:
    passes: list[Pass] = []

    def watch(so_far: Pass) -> bool:
        passes.append(so_far)
        return so_far.number == 2

    model = SequenceTagger(templates="chunk", max_iter=5, **words).fit_file(columns, watch=watch)
    assert len(passes) == model.n_iter_ == 2
    scores = [so_far.score or 0.0 for so_far in passes]
    assert model.kept_pass_ == (1 + int(scores[1] > scores[0]) if words else 2)
    assert passes[-1].model().mistakes.tolist() == model.mistakes_.tolist()


def test_tagging_columns(columns: Path, tmp_path: Path) -> None:
    model = SequenceTagger(templates="chunk", max_iter=2).fit_file(columns)
    out = tmp_path / "out.txt"
    model.tag_file(columns, out)
    tagged = read_conll(out)
    assert tagged.column(3) == model.predict([[t[:2] for t in s] for s in SENTENCES])
    assert [[t[:3] for t in s] for s in tagged] == list(SENTENCES)


def test_tagging_universal(universal: Path, tmp_path: Path) -> None:
    model = SequenceTagger(max_iter=2).fit_file(universal, tag="xpos")
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.file_columns_ == model.file_columns_ == FileColumns(universal=True, seen=("form",), tag="xpos")
    out = io.BytesIO()
    text = b"# a comment\n1-2\tcannot\t_\t_\t_\t_\t_\t_\t_\t_\n" + UNIVERSAL.encode()
    again.tag_file(io.BytesIO(text), out, format="conllu")
    tagged = read_conll(io.BytesIO(out.getvalue()), format="conllu")
    assert tagged.column("xpos") == model.predict([[t[0] for t in s] for s in SENTENCES])
    assert tagged.column("upos") == SENTENCES.column(1)
    assert out.getvalue().startswith(b"# a comment\n1-2\tcannot\t")
    model.tag_file(universal, out := io.BytesIO(), tag="misc")
    assert read_conll(io.BytesIO(out.getvalue()), format="conllu").column("misc") == tagged.column("xpos")


def test_one_tag_of_several_columns(universal: Path, columns: Path, tmp_path: Path) -> None:
    """They are learned as one tag, which shares weights by its first column, and written as columns again."""
    model = SequenceTagger(max_iter=3).fit_file(universal, tag=["upos", "xpos"])
    words, pairs = [[t[0] for t in s] for s in SENTENCES], [["\t".join(t[1:]) for t in s] for s in SENTENCES]
    expected = SequenceTagger(max_iter=3, share="\t").fit(words, pairs)
    assert same(model, expected)
    assert model.classes_.tolist() == expected.classes_.tolist()
    assert same(SequenceTagger(max_iter=3).fit_file(columns, tag=(1, 2), columns=[0]), expected)
    one = SequenceTagger(max_iter=3).fit_file(universal, tag="xpos")
    assert same(SequenceTagger(max_iter=3).fit_file(universal, tag=["xpos"]), one)
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    assert again.file_columns_ == FileColumns(universal=True, seen=("form",), tag=("upos", "xpos"))
    blank = re.sub(r"(?m)^(\d+\t\S+\t_\t)\S+\t\S+", r"\1_\t_", UNIVERSAL)
    again.tag_file(io.BytesIO(blank.encode()), out := io.BytesIO(), format="conllu")
    tagged = read_conll(io.BytesIO(out.getvalue()), format="conllu")
    answers = expected.predict(words)
    assert [["\t".join(t[3:5]) for t in s] for s in tagged] == answers
    words_of = {"n_best": 2, "format": "columns"}
    model.tag_file(columns, out := io.BytesIO(), **words_of)  # in a file of columns they become the last ones
    assert ["\t".join(t[3:5]) for t in read_conll(io.BytesIO(out.getvalue()))[0]] == answers[0]
    second = model.predict_nbest(words, n=2)[0][1][0]
    assert ["\t".join(t[5:]) for t in read_conll(io.BytesIO(out.getvalue()))[0]] == second
    dev = SequenceTagger(max_iter=2).fit_file([universal, universal], tag=["upos", "xpos"], dev=universal)
    passes = [SequenceTagger(max_iter=k, share="\t").fit(words * 2, pairs * 2) for k in (1, 2)]
    assert dev.validation_scores_.tolist() == [one.score(words, pairs) for one in passes]
    other = SequenceTagger(max_iter=3, share="N").fit_file(universal, tag=["upos", "xpos"])
    assert same(other, SequenceTagger(max_iter=3, share="N").fit(words, pairs))


def test_columns_that_cannot_be_tags(universal: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="tag: expected columns, each once, found"):
        SequenceTagger().fit_file(universal, tag=("upos", 3))
    with pytest.raises(ValueError, match="tag: expected columns, each once, found"):
        SequenceTagger().fit_file(universal, tag=())
    with pytest.raises(ValueError, match="looks at column 'form', which has the tags"):
        SequenceTagger().fit_file(universal, tag=("upos", "form"))
    message = "train.conllu: expected tags to learn in the column {}, found '_' in all words"
    with pytest.raises(ValueError, match=message.format("feats")):
        SequenceTagger().fit_file(universal, tag="feats")
    with pytest.raises(ValueError, match=message.format("lemma and feats")):
        SequenceTagger().fit_file(universal, tag=("lemma", "feats"))
    model = SequenceTagger(max_iter=1).fit_file(universal, tag=("upos", "feats"))  # as one of them has tags
    for tag in ("upos", ("upos", "xpos", "feats")):
        with pytest.raises(ValueError, match="tag: expected 2 columns, of which the tags are made that were learned"):
            model.tag_file(universal, tmp_path / "out.conllu", tag=tag)
    assert not (tmp_path / "out.conllu").exists()


def test_a_file_of_many_blocks(columns: Path, tmp_path: Path) -> None:
    model = SequenceTagger(templates="chunk", max_iter=2).fit_file(columns)
    copies = 2 * BLOCK_BYTES // len(SENTENCES.text)
    once, often = io.BytesIO(), io.BytesIO()
    model.tag_file(columns, once)
    model.tag_file(io.BytesIO(SENTENCES.text * copies), often)
    assert often.getvalue() == once.getvalue() * copies


def test_n_best(tmp_path: Path) -> None:
    model = SequenceTagger(templates=["U:%x[0,0]", "B"]).fit([["a", "b"]], [["A", "B"]])
    out = io.BytesIO()
    model.tag_file(io.BytesIO(b"a\nb\n\nb\n"), out, n_best=3, scores=True)
    found = read_conll(io.BytesIO(out.getvalue()))
    expected = model.predict_nbest([["a", "b"], ["b"]], 3)
    for k in range(3):
        for s, best in enumerate(expected):
            tags = best[k][0] if k < len(best) else ["_"] * len(found[s])
            scores = [best[k][1]] * len(tags) if k < len(best) else None
            assert found.column(1 + 2 * k)[s] == tags
            texts = found.column(2 + 2 * k)[s]
            assert (texts == ["_"] * len(tags)) if scores is None else ([float(text) for text in texts] == scores)


@pytest.mark.parametrize(
    ("words", "fit", "message"),
    [
        ({"templates": ["U:%x[0,0]", "U1:%x[1,2]"]}, {}, r"'U1:%x\[1,2\]' looks at column 2, which has the tags"),
        ({"templates": "chunk"}, {"tag": 1}, r"'U10:%x\[-3,1\]' looks at column 1, which has the tags to learn"),
        ({"templates": ["U:%x[0,0]"]}, {"columns": [2]}, r"'U:%x\[0,0\]' looks at column 2, which has the tags"),
        ({"templates": "chunk"}, {"columns": [0]}, r"'U10:%x\[-3,1\]' looks at column 1, but columns are \[0\]"),
        ({}, {"tag": "upos"}, r"a column must be a number, or in CoNLL-U one of .* got 'upos'"),
        ({}, {"tag": 3}, r"train.txt:1:\d+: expected"),
        ({"templates": ["U:%x[0,7]"]}, {}, r"train.txt:1:\d+: expected"),
        ({}, {"dev": io.BytesIO(b"a b c\nd e\n")}, r"<file>:2:4: expected 3 columns, as in line 1"),
        ({}, {"format": "conll"}, r"format must be 'auto', 'columns' or 'conllu', got 'conll'"),
    ],
)
def test_refused(columns: Path, words: Any, fit: Any, message: str) -> None:
    model = SequenceTagger(**words)
    before = dict(vars(model))
    with pytest.raises((ValueError, DataFileError), match=message):
        model.fit_file(columns, **fit)
    assert vars(model) == before


def test_refused_when_tagging(universal: Path, tmp_path: Path) -> None:
    model = SequenceTagger(max_iter=1).fit_file(universal)
    with pytest.raises(ValueError, match="n_best must be 1, scores False"):
        model.tag_file(universal, tmp_path / "out", n_best=2)
    with pytest.raises(ValueError, match="n_best must be at least 1, got 0"):
        model.tag_file(io.BytesIO(b"a\n"), tmp_path / "out", n_best=0)
    with pytest.raises(DataFileError, match=r"<file>:2:3: expected 1 column"):
        model.tag_file(io.BytesIO(b"a\nb c\n"), tmp_path / "out", format="columns")
    with pytest.raises(DataFileError, match=r"<file>:1:2: expected 10 columns with a tab"):  # as it has learned from
        model.tag_file(io.BytesIO(b"a\n"), tmp_path / "out")
    assert not (tmp_path / "out").exists()
    chunks = SequenceTagger(templates="chunk").fit([[("a", "X")]], [["A"]])
    with pytest.raises(ValueError, match=r"looks at column 1, but columns are \['form'\]"):
        chunks.tag_file(universal, tmp_path / "out")


def test_several_files_are_one(tmp_path: Path) -> None:
    """Texts and labels of the second file are numbered as if it stood behind the first."""
    texts = [b"the D X\ndog N Y\n\na D X\n", b"cats N Z\nbark V Y\n", b"the D X\ncat N Q\n\ndogs N Y\n"]
    for number, text in enumerate(texts):
        (tmp_path / f"part-{number}.txt").write_bytes(text)
    (tmp_path / "all.txt").write_bytes(b"\n".join(texts))
    for n_shards in (1, 2):
        one = SequenceTagger(templates="chunk", shards=n_shards).fit_file(
            tmp_path / "all.txt", dev=tmp_path / "part-2.txt"
        )
        for given in (tmp_path / "part-*.txt", [tmp_path / f"part-{n}.txt" for n in range(3)]):
            many = SequenceTagger(templates="chunk", shards=n_shards).fit_file(given, dev=tmp_path / "part-2.txt")
            assert same(one, many)
            assert many.classes_.tolist() == ["Q", "X", "Y", "Z"]
            assert many.validation_scores_.tolist() == one.validation_scores_.tolist()
    (tmp_path / "part-3.txt").write_bytes(b"the X\n")
    with pytest.raises(ValueError, match=r"part-3.txt: expected 3 columns, as in the file to learn from, found 2"):
        SequenceTagger(templates="pos").fit_file(tmp_path / "part-*.txt")
    with pytest.raises(FileNotFoundError, match=r"nothing-\*: expected files of such names, found none"):
        SequenceTagger().fit_file(tmp_path / "nothing-*")


def test_a_file_of_any_name_has_the_format_of_the_training(universal: Path, columns: Path, tmp_path: Path) -> None:
    """A text is not taken for columns, and CoNLL-U not either, whatever the file is named."""
    model = SequenceTagger(max_iter=1).fit_file(universal)
    (tmp_path / "same.txt").write_bytes(universal.read_bytes())
    for name in ("same.txt", "train.conllu"):
        model.tag_file(tmp_path / name, tmp_path / f"of.{name}")
    assert (tmp_path / "of.same.txt").read_bytes() == (tmp_path / "of.train.conllu").read_bytes()
    (tmp_path / "raw.txt").write_text("Hello to all the world .\n", encoding="utf-8")
    with pytest.raises(DataFileError, match=r"raw\.txt:1:\d+: expected 10 columns"):
        model.tag_file(tmp_path / "raw.txt", tmp_path / "out.txt")
    assert not (tmp_path / "out.txt").exists()
    model.tag_file(columns, os.devnull, format="columns")


def test_a_byte_order_mark_is_no_part_of_a_word(universal: Path) -> None:
    mark, text = b"\xef\xbb\xbf", UNIVERSAL.encode()
    model = SequenceTagger(max_iter=3).fit_file(io.BytesIO(mark + text), format="conllu")
    assert same(model, SequenceTagger(max_iter=3).fit_file(universal))
    model.tag_file(io.BytesIO(mark + text), out := io.BytesIO(), format="conllu")
    model.tag_file(io.BytesIO(text), without := io.BytesIO(), format="conllu")
    assert out.getvalue() == mark + without.getvalue()
