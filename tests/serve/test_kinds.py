"""What is served: kernels with a budget, taggers, models that began as files, and tables by column name."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rosenblatt import Perceptron, SequenceTagger, load, save
from rosenblatt.data.lectures import AND
from rosenblatt.members.fit import fit
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.linear.perceptron import LinearMember
from rosenblatt.members.linear.text.learn import fit_text
from rosenblatt.members.linear.text.online import TextOnline
from rosenblatt.members.linear.text.parameters import TextParameters
from rosenblatt.services.files.encoding import Encoding
from rosenblatt.services.files.encoding.parameters import EncodingParameters
from rosenblatt.services.files.notation import Notation
from rosenblatt.services.records.model_file import Stored, read, write
from tests.members.test_online_run import rows, sentences, stored
from tests.serve.server import Server, running
from tests.text.test_online import notes

TABLE = b"weather,wind,walk\n" + b"sunny,3,yes\nrainy,5,no\nsunny,9,no\nrainy,1,yes\ndry,2,yes\n" * 4


def restarted(server: Server, folder: Path, name: str) -> bytes:
    """The model file after a crash, which is the one before it."""
    before = server.file(name)
    server.kill()
    with running(folder) as again:
        assert again.file(name) == before
    return before


@pytest.mark.parametrize("policy", ["project", "stop"])
def test_a_kernel_with_a_budget(tmp_path: Path, policy: str) -> None:
    from rosenblatt.members.kernel.online import KernelOnline
    from rosenblatt.members.kernel.parameters import KernelParameters

    X, y = rows(60, 3)
    parameters = {"budget": 9, "gamma": 0.3, "budget_policy": policy, "readout": "last"}
    with running(tmp_path / "models", "--snapshot-every", "17") as server:
        made = server.ask("PUT", "/v1/models/k", {"kind": "KernelPerceptron", "parameters": parameters})
        assert made.status == 201
        examples = [{"x": x, "y": label} for x, label in zip(X.tolist(), y, strict=True)]
        found = [one for k in range(0, 60, 13) for one in server.learn("k", examples[k : k + 13])]
        run = KernelOnline(KernelParameters.of(**parameters))
        assert [one["predicted"] for one in found] == [taken.label for taken in run.learn(X, y)]
        answers = server.ask("POST", "/v1/models/k/predict", {"rows": X.tolist()}).body["predictions"]
        labels, scores = run.answer(X)
        assert [(one["label"], one["scores"]) for one in answers] == list(zip(labels, scores.tolist(), strict=True))
        assert restarted(server, tmp_path / "models", "k") == stored(run)


def test_a_tagger(tmp_path: Path) -> None:
    from rosenblatt.members.sentences.tagger.online import TaggerOnline
    from rosenblatt.members.sentences.tagger.parameters import TaggerParameters

    X, y = sentences(60)
    with running(tmp_path / "models", "--snapshot-every", "17") as server:
        assert server.ask("PUT", "/v1/models/t", {"kind": "SequenceTagger"}).status == 201
        examples = [{"x": x, "y": tags} for x, tags in zip(X, y, strict=True)]
        found = [one for k in range(0, 60, 13) for one in server.learn("t", examples[k : k + 13])]
        run = TaggerOnline(TaggerParameters())
        assert [one["predicted"] for one in found] == [taken.label for taken in run.learn(X, y)]
        answers = server.ask("POST", "/v1/models/t/predict", {"rows": X}).body["predictions"]
        assert [one["label"] for one in answers] == run.answer(X)[0]
        refused = server.ask("POST", "/v1/models/t/learn", {"examples": [{"x": ["a", "b"], "y": ["DT"]}]})
        assert refused.body == {"error": "expected 2 labels, one a token, found 1", "place": "examples[0].y"}
        assert restarted(server, tmp_path / "models", "t") == stored(run)


def test_a_classifier_of_texts(tmp_path: Path) -> None:
    texts, labels = notes(60)
    with running(tmp_path / "models", "--snapshot-every", "17") as server:
        assert server.ask("PUT", "/v1/models/t", {"kind": "TextClassifier"}).status == 201
        nothing = server.ask("POST", "/v1/models/t/top", {"rows": ["a"]})
        assert (nothing.status, nothing.body["error"]) == (409, "the model has learned nothing yet")
        examples = [{"x": text, "y": label} for text, label in zip(texts, labels, strict=True)]
        assert server.ask("PUT", "/v1/models/one", {"kind": "TextClassifier"}).status == 201
        server.learn("one", examples[:1])
        one = server.ask("POST", "/v1/models/one/explain", {"rows": ["a"]})
        assert (one.status, one.body["error"]) == (409, "the model has not learned two labels yet")
        server.ask("PUT", "/v1/models/p", {"kind": "Perceptron"})
        other = server.ask("POST", "/v1/models/p/explain", {"rows": ["a"]})
        assert (other.status, other.body["error"]) == (422, "expected a model of texts, found a Perceptron")
        found = [one for k in range(0, 60, 13) for one in server.learn("t", examples[k : k + 13])]
        run = TextOnline(TextParameters())
        assert [one["predicted"] for one in found] == [answer.label for answer in run.learn(texts, labels)]
        answers = server.ask("POST", "/v1/models/t/predict", {"rows": texts}).body["predictions"]
        assert [one["label"] for one in answers] == run.answer(texts)[0]
        top = server.ask("POST", "/v1/models/t/top", {"rows": texts, "k": 2}).body["rows"]
        assert [one[0]["label"] for one in top] == run.answer(texts)[0]
        expected = run.model()
        for of_row, of_model in zip(top, expected.top(texts, 2), strict=True):
            assert [one["label"] for one in of_row] == [label for label, _ in of_model]
            assert [one["score"] for one in of_row] == pytest.approx([score for _, score in of_model])
        why = server.ask("POST", "/v1/models/t/explain", {"rows": texts[:3], "k": 2}).body["rows"]
        for one, text in zip(why, texts, strict=False):
            heaviest = expected.explain(text).heaviest(2)
            assert one["label"] == expected.predict([text])[0]
            assert [reason["word"] for reason in one["reasons"]] == [reason.word for reason in heaviest]
            assert one["reasons"][0]["share"] == pytest.approx(heaviest[0].share)
            assert text[one["reasons"][0]["begin"] : one["reasons"][0]["end"]] == heaviest[0].word
        why = server.ask("POST", "/v1/models/t/explain", {"rows": ["frog", "xyz", ""], "label": "green"}).body["rows"]
        assert [len(one["reasons"]) for one in why] == [1, 1, 0]
        assert (why[0]["reasons"][0]["share"] > 0, why[1]["reasons"][0]["share"]) == (True, 0.0)
        for verb, body, place in (
            ("top", {"rows": ["a"], "k": 0}, "k"),
            ("top", {"rows": [1]}, "rows[0]"),
            ("top", {"rows": []}, "rows"),
            ("explain", {"rows": ["a"], "label": "white"}, "label"),
            ("explain", {"rows": ["a"], "why": 1}, None),
        ):
            refused = server.ask("POST", f"/v1/models/t/{verb}", body)
            assert (refused.status in (400, 422), refused.body["place"]) == (True, place)
        for x in (1, ["a"], None):
            refused = server.ask("POST", "/v1/models/t/learn", {"examples": [{"x": x, "y": "red"}]})
            assert (refused.status, refused.body["place"]) == (422, "examples[0].x")
        assert restarted(server, tmp_path / "models", "t") == stored(run)


def test_texts_of_a_table_by_column_name(tmp_path: Path) -> None:
    """A model of several columns, which was fitted, learns on; one of two labels, fitted by ratios, too."""
    texts, labels = notes(120)
    table = {"title": texts, "note": texts[::-1], "stars": [k % 5 for k in range(120)], "colour": labels}
    parameters = EncodingParameters(label="colour", text=("title", "note"))
    encoding = Encoding.learn(parameters, table, texts="leave")
    model, _ = fit_text(TextParameters(), encoding.transform(table), labels, names=["title", "note"])
    write(Stored(model, encoding=encoding), tmp_path / "t.safetensors")
    two, _ = fit_text(TextParameters(), ["a red one", "a blue one"], ["red", "blue"])
    write(Stored(two), tmp_path / "two.safetensors")
    with running(tmp_path / "models") as server:
        assert server.ask("PUT", "/v1/models/t", (tmp_path / "t.safetensors").read_bytes()).status == 201
        row = {"title": "the rose", "note": "a cherry", "stars": 4}
        answer = server.ask("POST", "/v1/models/t/predict", {"rows": [row]}).body["predictions"][0]
        assert answer["label"] == "red"
        why = server.ask("POST", "/v1/models/t/explain", {"rows": [row], "k": 9}).body["rows"][0]["reasons"]
        assert {(reason["word"], reason["column"]) for reason in why} == {
            *(("the", "title"), ("rose", "title"), ("a", "note"), ("cherry", "note"), (None, "stars=4")),
        }
        one_row = {name: [value] for name, value in row.items()}
        expected = model.decision(encoding.transform(one_row))[0]
        np.testing.assert_allclose(answer["scores"], expected, rtol=1e-4, atol=1e-4)
        assert model.calibration is not None
        p = model.calibration.probabilities(np.array([answer["scores"]]))[0]
        assert answer["probabilities"] == p.tolist()
        server.learn("t", [{"x": row, "y": "red"}] * 3)
        known = server.ask("POST", "/v1/models/t/predict", {"rows": [row]}).body["predictions"][0]
        assert known["probabilities"] == model.calibration.probabilities(np.array([known["scores"]]))[0].tolist()
        new = {"title": "snow", "note": "snow and ice", "stars": 1}
        server.learn("t", [{"x": new, "y": "white"}] * 3)
        answer = server.ask("POST", "/v1/models/t/predict", {"rows": [new]}).body["predictions"][0]
        assert (answer["label"], "probabilities" in answer) == ("white", False)
        assert server.ask("PUT", "/v1/models/two", (tmp_path / "two.safetensors").read_bytes()).status == 201
        server.learn("two", [{"x": "a cherry", "y": "red"}, {"x": "the sea", "y": "blue"}])
        answers = server.ask("POST", "/v1/models/two/predict", {"rows": ["cherry", "sea"]}).body["predictions"]
        assert [one["label"] for one in answers] == ["red", "blue"]
        run = TextOnline(two.parameters, two)
        run.learn(["a cherry", "the sea"], ["red", "blue"])
        refused = server.ask("PUT", "/v1/models/u", {"kind": "TextClassifier", "parameters": {"weighting": "ratio"}})
        assert refused.status == 422
        assert "to learn text by text from nothing, found ratio" in refused.body["error"]
        assert restarted(server, tmp_path / "models", "two") == stored(run)


def test_a_model_file_goes_on(tmp_path: Path) -> None:
    save(Perceptron(shuffle=False, readout="average").fit(*AND), tmp_path / "and.safetensors")
    content = (tmp_path / "and.safetensors").read_bytes()
    with running(tmp_path / "models") as server:
        assert server.ask("PUT", "/v1/models/and", content).status == 201
        assert server.ask("PUT", "/v1/models/and", content).status == 200
        assert load(tmp_path / "and.safetensors").predict([[1, 1]])[0] == 1
        answer = server.ask("POST", "/v1/models/and/predict", {"rows": [[1, 1], [0, 1]]}).body
        assert [one["label"] for one in answer["predictions"]] == [1, -1]
        server.learn("and", [{"x": [1, 1], "y": -1}, {"x": {"0": 1}, "y": 1}])
        wide = server.ask("POST", "/v1/models/and/predict", {"rows": [[1, 1, 1]]})
        assert (wide.status, wide.body["error"]) == (422, "expected 2 numbers, found 3")
        (tmp_path / "after.safetensors").write_bytes(restarted(server, tmp_path / "models", "and"))
    model: Any = read(tmp_path / "after.safetensors").model
    assert len(model.passes) == 10
    assert model.n_seen == 6
    with running(tmp_path / "models") as server:
        assert server.ask("PUT", "/v1/models/other", b"no model file").status == 422
        tagger = SequenceTagger(max_iter=1).fit([["a"]], [["A"]])
        save(tagger, tmp_path / "tags.safetensors")
        assert server.ask("PUT", "/v1/models/tags", (tmp_path / "tags.safetensors").read_bytes()).status == 201
        found = server.ask("POST", "/v1/models/tags/predict", {"rows": [["a", "a"]]}).body["predictions"]
        assert found == [{"label": ["A", "A"]}]


def test_rows_of_a_table_by_column_name(tmp_path: Path) -> None:
    encoding = Encoding.learn(EncodingParameters(label="walk", standardise=True), io.BytesIO(TABLE))
    X, y = encoding.transform(io.BytesIO(TABLE)), encoding.labels(io.BytesIO(TABLE))
    model, _ = fit(LinearMember(PerceptronParameters(readout="average")), X, y)
    write(Stored(model, encoding=encoding), tmp_path / "walk.safetensors")
    with running(tmp_path / "models") as server:
        made = server.ask("PUT", "/v1/models/walk", (tmp_path / "walk.safetensors").read_bytes())
        assert (made.status, made.body["classes"]) == (201, ["no", "yes"])
        asked = [{"weather": "sunny", "wind": 3}, {"wind": 8.5, "weather": "dry"}]
        found = server.ask("POST", "/v1/models/walk/predict", {"rows": asked}).body["predictions"]
        text = b"weather,wind\nsunny,3\ndry,8.5\n"
        assert [one["score"] for one in found] == model.decision(encoding.transform(io.BytesIO(text))).tolist()
        as_csv = server.ask("POST", "/v1/models/walk/predict", text, content_type="text/csv")
        assert as_csv.body["predictions"] == found
        server.learn("walk", [{"x": asked[1], "y": "no"}])
        learned = server.ask("POST", "/v1/models/walk/learn", TABLE, content_type="text/csv")
        assert (learned.status, learned.body["version"]) == (200, 21)
        for x, said in (
            ({"weather": "hail", "wind": 1}, "hail"),
            ({"weather": "dry", "wind": "much"}, "much"),
            ({"weather": "dry"}, "missing"),
            ({"weather": "dry", "wind": 1, "moon": 2}, "moon"),
            ([1, 2], "expected an object with the cells"),
        ):
            refused = server.ask("POST", "/v1/models/walk/learn", {"examples": [{"x": x, "y": "no"}]})
            assert refused.status == 422
            assert refused.body["place"] == "examples[0].x"
            assert said in refused.body["error"], refused.body
        assert server.log("walk")[0]["x"] == asked[1]
        (tmp_path / "after.safetensors").write_bytes(restarted(server, tmp_path / "models", "walk"))
    kept = read(tmp_path / "after.safetensors").encoding
    assert kept is not None
    assert json.dumps(kept.as_record()) == json.dumps(encoding.as_record())


def test_cells_as_the_table_of_the_model_has_them(tmp_path: Path) -> None:
    text = b"wind;walk\n3,5;yes\n9,5;no\n?;no\n1,5;yes\n"
    notation = Notation.of(decimal=",", na=["?"], names=["wind", "walk"], header=True, encoding="latin-1")
    parameters = EncodingParameters(label="walk", missing="mean", standardise=False)
    encoding = Encoding.learn(parameters, io.BytesIO(text), notation)
    X, y = encoding.transform(io.BytesIO(text)), encoding.labels(io.BytesIO(text))
    model, _ = fit(LinearMember(PerceptronParameters()), X, y)
    write(Stored(model, encoding=encoding), tmp_path / "walk.safetensors")
    scores = model.decision(np.array([[8.5], [8.5], [(3.5 + 9.5 + 1.5) / 3], [8.0]])).tolist()
    with running(tmp_path / "models") as server:
        assert server.ask("PUT", "/v1/models/walk", (tmp_path / "walk.safetensors").read_bytes()).status == 201
        asked = {"rows": [{"wind": 8.5}, {"wind": "8,5"}, {"wind": "?"}, {"wind": 8}]}
        predictions = server.ask("POST", "/v1/models/walk/predict", asked).body["predictions"]
        assert [one["score"] for one in predictions] == scores
        rows = b'wind\n"8,5"\n"8,5"\n?\n8\n'
        as_csv = server.ask("POST", "/v1/models/walk/predict", rows, content_type="text/csv")
        assert as_csv.body["predictions"] == predictions


def test_many_rows_in_other_formats(tmp_path: Path) -> None:
    with running(tmp_path / "models") as server:
        for name in "abcd":
            body = {"kind": "Perceptron", "n_features": 3}
            assert server.ask("PUT", f"/v1/models/{name}", body).status == 201
        server.learn("a", [{"x": [1, 0, 2.5], "y": 1}, {"x": [0, 3, 0], "y": -1}])
        lines = b'{"x": {"0": 1, "2": 2.5}, "y": 1, "id": "i"}\n\n{"x": {"1": 3}, "y": -1}\n'
        assert server.ask("POST", "/v1/models/b/learn", lines, content_type="application/x-ndjson").status == 200
        text = b"1 1:1 3:2.5 # first\n-1 2:3\n"
        assert server.ask("POST", "/v1/models/c/learn", text, content_type="text/x-svmlight").status == 200
        table = b"label,u,v,w\n1,1,0,2.5\n-1,0,3,0\n"
        assert server.ask("POST", "/v1/models/d/learn?label=label", table, content_type="text/csv").status == 200
        assert server.file("a") == server.file("d")
        assert server.file("b") == server.file("c")
        assert server.log("b")[0]["id"] == "i"
        assert server.log("c")[0]["x"] == {"0": 1.0, "2": 2.5}
        answers = [
            server.ask("POST", f"/v1/models/a/predict{query}", asked, content_type=media).body
            for query, asked, media in (
                ("", b'{"rows": [[1, 0, 2.5], [0, 3, 0]]}', "application/json"),
                ("", b"[1, 0, 2.5]\n[0, 3, 0]", "application/x-ndjson"),
                ("?zero_based=true", b"0 0:1 2:2.5\n0 1:3\n", "text/x-svmlight"),
                ("", b"u,v,w\n1,0,2.5\n0,3,0\n", "text/csv"),
            )
        ]
        assert answers[1:] == answers[:1] * 3
        assert len(answers[0]["predictions"]) == 2
        bad = server.ask("POST", "/v1/models/a/learn", b"1 1:x\n", content_type="text/x-svmlight")
        assert (bad.status, bad.body["error"]) == (400, "body:1:5: expected a number after ':', found 'x'")
        bad = server.ask("POST", "/v1/models/a/learn?label=label", b"label,u\n1\n", content_type="text/csv")
        assert (bad.status, bad.body["error"]) == (400, "body:2:2: expected 2 cells, as in the header, found 1")
