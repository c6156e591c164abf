"""A tagger in shards: mixed as in plain Python, exactly; the same bits for any number of threads; Collins's bound."""

import pickle
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rosenblatt import SequenceTagger, _core, bounds, load, save
from rosenblatt.base.engines import Serial
from rosenblatt.base.record.parts import Parts
from rosenblatt.members.sentences.corpus import as_corpus, as_tags, number_labels
from rosenblatt.members.sentences.tagger import sources
from rosenblatt.members.sentences.tagger.learn import TaggerRun, run_over
from rosenblatt.members.sentences.tagger.model import parts_of
from rosenblatt.members.sentences.tagger.parameters import TaggerParameters
from rosenblatt.members.sentences.tagger.sources import SentenceShards, TrainingSet, units_of
from rosenblatt.members.sentences.tagger.templates import parse
from rosenblatt.members.shards import shares, spans

from .plain_chain import Run, features, ranked
from .strategies import corpora, lines

RNG = np.random.default_rng(0)
WORDS = [f"w{k}" for k in range(40)]
STEPS = ["perceptron", "pa1"]


def some_sentences(count: int) -> tuple[list[list[str]], list[list[str]]]:
    """Tags mostly follow from the words; some sentences are empty."""
    numbers = [RNG.integers(0, len(WORDS), RNG.integers(0, 9)) for _ in range(count)]
    X = [[WORDS[k] for k in sentence] for sentence in numbers]
    y = [["PQRS"[RNG.integers(4) if RNG.random() < 0.1 else k % 4] for k in sentence] for sentence in numbers]
    return X, [list(tags) for tags in y]


X, Y = some_sentences(300)


@pytest.fixture
def threads_pay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even for few tokens."""
    monkeypatch.setattr(sources, "WORTH_A_THREAD", 0)


def bits(chain: _core.Chain) -> list[bytes]:
    arrays: Any = chain.arrays()
    return [array.tobytes() for array in arrays]


def same(a: SequenceTagger, b: SequenceTagger) -> None:
    one, other = a._model.chain, b._model.chain
    assert (one.visits, one.units, one.attributes) == (other.visits, other.units, other.attributes)
    assert bits(one) == bits(other)
    for name in ("mistakes_", "sentence_mistakes_", "mixed_mistakes_"):
        assert getattr(a, name).tolist() == getattr(b, name).tolist()


def sharded(parameters: TaggerParameters, X: Any, y: Any, template_lines: list[str]) -> SentenceShards:
    corpus = as_corpus(X)
    classes, target = number_labels(as_tags(y, corpus))
    parts = parts_of(classes, parameters.share)
    data = TrainingSet(parameters, parse(template_lines), len(classes), corpus, target, parts)
    run = SentenceShards(data, Serial())
    run.begin(np.arange(len(corpus)))
    return run


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("share", [None, "-"])
def test_one_shard_is_the_plain_run(step: Any, share: str | None) -> None:
    lines = ["U:%x[0,0]", "U1:%x[-1,0]", "B"]
    words: dict[str, Any] = {"templates": lines, "step": step, "share": share, "max_iter": 5}
    expected = SequenceTagger(**words, shuffle=False).fit(X, Y)
    # A plain run does not go through the engine: here one shard does.
    run = sharded(TaggerParameters(**words), X, Y, words["templates"])
    wrong = [one for number in range(5) if (one := run.go_on(None, number)) is not None]
    assert [one.tokens for one in wrong] == expected.mistakes_.tolist()
    assert [one.sentences for one in wrong] == [one.mixed for one in wrong] == expected.sentence_mistakes_.tolist()
    chain, units = run.chain(), units_of(1) if step == "perceptron" else 1
    assert (chain.visits, chain.units) == (expected._model.chain.visits, units)
    scale = {"w": units, "sums": units}
    names = ("keys", "before", "counts", "cell_labels", "w", "sums")
    arrays: Any = zip(names, chain.arrays(), expected._model.chain.arrays(), strict=True)
    for name, found, array in arrays:
        if step == "perceptron" or name != "sums":
            assert found.tolist() == (array * scale.get(name, 1)).tolist()
        else:  # those of a pass are added up before they join the others
            np.testing.assert_allclose(found, array, rtol=1e-9, atol=1e-9)
    same(SequenceTagger(**words, shards=1, rounds=3, n_jobs=2).fit(X, Y), SequenceTagger(**words).fit(X, Y))


@pytest.mark.usefixtures("threads_pay")
@pytest.mark.parametrize("words", [{}, {"step": "pa1"}, {"share": "-"}, {"rounds": 3}, {"early_stopping": True}])
@pytest.mark.parametrize("n_shards", [2, 3, 8])
def test_the_same_bits_with_any_number_of_threads(n_shards: int, words: dict[str, Any]) -> None:
    one = SequenceTagger(**words, shards=n_shards, max_iter=4).fit(X, Y)
    for n_jobs in (1, 2, 4):
        same(SequenceTagger(**words, shards=n_shards, max_iter=4, n_jobs=n_jobs).fit(X, Y), one)
    other = SequenceTagger(**words, shards=n_shards + 1, max_iter=4).fit(X, Y)
    assert other.mistakes_.tolist() != one.mistakes_.tolist()


def mixed_in_plain_python(X: Any, y: Any, labels: list[str], model: SequenceTagger, passes: int) -> Any:
    """The last weights, the sums of those after each tick, the ticks, and the mistakes of each pass."""
    seed = int(np.random.RandomState(0).randint(np.iinfo(np.int64).max, dtype=np.int64)) if model.shuffle else None
    w: dict[Any, Fraction] = {}
    sums: dict[Any, Fraction] = {}
    ticks, mistakes, n_shards, rounds = 0, [], model.shards, int(model.rounds)
    for number in range(passes):
        made, weighted = 0, 0.0
        for turn in range(number * rounds, (number + 1) * rounds):
            runs = []
            for s, (first, last) in enumerate(spans(len(X), n_shards)):
                a, b = spans(last - first, rounds)[turn % rounds]
                order = _core.order(b - a, seed=seed, pass_number=turn * n_shards + s).tolist()
                run = Run(parse(model.templates))
                run.w = w
                part = slice(first + a, first + b)
                runs.append(run.train(X[part], y[part], [order], labels))
            counts, longest = [run.mistakes[0][0] for run in runs], max(len(run.after) for run in runs)
            mu = [Fraction(share, units_of(n_shards)) for share in shares(counts, units_of(n_shards))]

            def mean(values: Any, mu: list[Fraction] = mu) -> Fraction:
                return sum((of * value for of, value in zip(mu, values, strict=True)), Fraction(0))

            for run in runs:  # one that has fewer stands still
                run.after += [run.w] * (longest - len(run.after))
            keys = {*sums, *(key for run in runs for key in run.w)}
            if sum(counts):
                of_the_round = {key: mean([sum(v.get(key, 0) for v in run.after) for run in runs]) for key in keys}
                w = {key: mean([run.w.get(key, 0) for run in runs]) for key in keys}
            else:
                of_the_round = {key: longest * w.get(key, Fraction(0)) for key in keys}
            sums = {key: sums.get(key, Fraction(0)) + of_the_round[key] for key in keys}
            ticks += longest
            made += sum(counts)
            weighted += float(mean(counts))
        mistakes.append((made, weighted))
        if not made:
            break
    return w, sums, ticks, mistakes


@settings(max_examples=150, deadline=None)
@given(
    data=corpora(max_sentences=7),
    lines=lines,
    n_shards=st.sampled_from([2, 3, 8]),
    rounds=st.sampled_from([1, 2]),
    shuffle=st.booleans(),
)
def test_mixing_is_that_of_plain_python(data: Any, lines: list[str], n_shards: int, rounds: int, shuffle: bool) -> None:
    X, y = data
    model = SequenceTagger(templates=lines, shards=n_shards, rounds=rounds, shuffle=shuffle, max_iter=3).fit(X, y)
    labels = model.classes_.tolist()
    w, sums, ticks, mistakes = mixed_in_plain_python(X, y, labels, model, 3)
    assert list(zip(model.sentence_mistakes_, model.mixed_mistakes_, strict=True)) == mistakes
    assert model._model.chain.visits == ticks
    averages = {key: value / ticks for key, value in sums.items()}
    for readout, weights in (("last", w), ("average", averages)):
        model.set_params(readout=readout)
        for sentence, tags, best in zip(X, model.predict(X), model.predict_nbest(X, 5), strict=True):
            expected = ranked(parse(lines), weights, sentence, labels, "mark")
            assert tuple(tags) == expected[0][1]
            assert [tuple(z) for z, _ in best] == [z for _, z in expected[:5]]
            assert [score for _, score in best] == [float(score) for score, _ in expected[:5]]


@settings(max_examples=60, deadline=None)
@given(
    X=st.lists(st.lists(st.sampled_from("uvw"), min_size=1, max_size=3), min_size=1, max_size=8),
    u=st.lists(st.integers(-9, 9), min_size=18, max_size=18),
    n_shards=st.sampled_from([2, 3, 8]),
    rounds=st.sampled_from([1, 2]),
)
def test_mixed_mistakes_are_within_the_bound(X: Any, u: list[int], n_shards: int, rounds: int) -> None:
    templates, labels = parse(["U:%x[0,0]", "B"]), ["P", "Q", "R"]
    names = [*((f"U:{word}", tag) for word in "uvw" for tag in labels), *(("B", a, b) for a in labels for b in labels)]
    hidden = dict(zip(names, u, strict=True))
    for word, tag in zip("uvw", labels, strict=True):
        hidden[f"U:{word}", tag] += 20  # so that each label is right somewhere: the tagger has to know them all

    def of(x: Any, z: Any) -> Any:
        return features(templates, [(word,) for word in x], z, "mark")

    def outputs(x: Any) -> list[Any]:
        return [z for _, z in ranked(templates, {}, [(word,) for word in x], labels, "mark")]

    kept, y = [], []
    for x in [["u"], ["v"], ["w"], *X]:
        (best, right), (second, _) = ranked(templates, hidden, [(word,) for word in x], labels, "mark")[:2]
        if best > second:
            kept.append(x)
            y.append(right)
    model = SequenceTagger(templates=["U:%x[0,0]", "B"], shards=n_shards, rounds=rounds, max_iter=10**5).fit(kept, y)
    assert model.converged_
    bound = bounds.collins(kept, y, of, outputs, w=hidden)
    assert model.mixed_mistakes_.sum() <= bound.bound
    assert (model.mixed_mistakes_ <= model.sentence_mistakes_).all()


@pytest.mark.parametrize("step", STEPS)
def test_what_a_shard_remembers_makes_no_difference(step: Any) -> None:
    """Shards that are made anew for each round, and a mix that was sent to them, as by another machine."""
    words: dict[str, Any] = {"step": step, "shards": 3, "rounds": 2}
    kept, template_lines = TaggerParameters(**words), ["U:%x[0,0]", "U1:%x[1,0]", "B"]
    run, other = (sharded(kept, X, Y, template_lines) for _ in range(2))
    for number in range(3):
        for turn in (2 * number, 2 * number + 1):
            run.go_on(7, number)
            fresh = sharded(kept, X, Y, template_lines).shards
            shared = sources.SentenceRound(pickle.loads(pickle.dumps(other.mix)), kept, 7, turn, 3, 2)
            learned = [pickle.loads(pickle.dumps(sources.train_shard(shard, shared))) for shard in fresh]
            other.mix.mix([one.chain for one in learned], shares([one.sentences for one in learned], other.units))
    assert bits(other.chain()) == bits(run.chain())


def test_a_shard_that_has_learned_from_another_mix_forgets_it() -> None:
    parameters = TaggerParameters(shards=2)
    run, fresh = (sharded(parameters, X, Y, ["U:%x[0,0]", "B"]) for _ in range(2))
    for number in range(3):
        run.go_on(1, number)
    other = sharded(TaggerParameters(shards=5), X[::-1], Y[::-1], ["U:%x[0,0]", "B"])
    other.go_on(1, 0)
    for mix in (other.mix, fresh.mix):
        shared = sources.SentenceRound(mix, parameters, 1, 0, 2, 1)
        for old, new in zip(run.shards, fresh.shards, strict=True):
            found, expected = sources.train_shard(old, shared), sources.train_shard(new, shared)
            assert found[1:] == expected[1:]
            assert bits(found.chain) == bits(expected.chain)


@pytest.mark.parametrize("step", STEPS)
def test_it_learns(step: Any) -> None:
    held_out = some_sentences(200)
    scores = [SequenceTagger(shards=n, step=step).fit(X, Y).score(*held_out) for n in (1, 2, 8)]
    assert min(scores) > 0.8


def test_more_shards_than_sentences() -> None:
    few = SequenceTagger(shards=50, shuffle=False).fit([["a", "b"], [], ["b", "a"]], [["A", "B"], [], ["B", "A"]])
    assert few.converged_
    assert few.predict([["a", "b"]]) == [["A", "B"]]


def test_early_stopping_holds_out_the_same_sentences_and_scores_the_mix() -> None:
    words: dict[str, Any] = {"shuffle": False, "shards": 3, "max_iter": 4}
    model = SequenceTagger(**words, early_stopping=True, n_iter_no_change=9, refit=False).fit(X, Y)
    order = np.random.RandomState(0).permutation(len(X))
    out, learned = np.sort(order[:30]), np.sort(order[30:])
    for passes, score in enumerate(model.validation_scores_, start=1):
        words["max_iter"] = passes
        one = SequenceTagger(**words).fit([X[i] for i in learned], [Y[i] for i in learned])
        # Labels that the sentences to learn from do not have would be missing.
        assert one.classes_.tolist() == model.classes_.tolist()
        assert score == one.score([X[i] for i in out], [Y[i] for i in out])
        if passes == model.kept_pass_:
            assert one.predict(X) == model.predict(X)
    again = SequenceTagger(**{**words, "max_iter": 4}, early_stopping=True, n_iter_no_change=9).fit(X, Y)
    assert again.n_iter_ == model.kept_pass_
    same(again, SequenceTagger(**{**words, "max_iter": model.kept_pass_}).fit(X, Y))


def test_a_file_chooses_the_number_of_passes() -> None:
    def text(X: Any, y: Any) -> BytesIO:
        sentences = [
            "".join(f"{word} {tag}\n" for word, tag in zip(*pair, strict=True)) for pair in zip(X, y, strict=True)
        ]
        return BytesIO("\n".join(filter(None, sentences)).encode())

    words: dict[str, Any] = {"shards": 2, "max_iter": 5}
    dev = some_sentences(100)
    model = SequenceTagger(**words).fit_file(text(X, Y), dev=text(*dev))
    best = SequenceTagger(**{**words, "max_iter": model.kept_pass_}).fit_file(text(X, Y))
    assert model.validation_scores_.max() == best.score(*dev) == model.score(*dev)


@pytest.mark.parametrize("words", [{}, {"step": "pa1"}])
def test_files_and_further_sentences(words: dict[str, Any], tmp_path: Path) -> None:
    model = SequenceTagger(**words, shards=4, max_iter=3).fit(X, Y)
    save(model, tmp_path / "m")
    again = load(tmp_path / "m")
    same(again, model)
    assert again.get_params() == model.get_params()
    assert (
        pickle.loads(pickle.dumps(model)).predict_nbest(X, 2) == again.predict_nbest(X, 2) == model.predict_nbest(X, 2)
    )
    for one in (model, again):
        one.partial_fit([["w1", "w2"], ["w3"]], [["Q", "R"], ["T"]])
    same(again, model)
    assert model._model.chain.units == (1 if words else units_of(model.shards))
    assert model._model.parameters.shards == 4


def test_a_first_partial_fit_is_one_pass_without_shards() -> None:
    same(SequenceTagger(shards=3).partial_fit(X, Y), SequenceTagger(shuffle=False, max_iter=1).fit(X, Y))


def test_transitions_are_in_steps() -> None:
    words: dict[str, Any] = {"templates": ["U:%x[0,0]", "B"], "readout": "last", "max_iter": 3}
    one = SequenceTagger(**words, shuffle=False).fit(X, Y)._model.transitions()
    run = sharded(TaggerParameters(**words), X, Y, words["templates"])
    for number in range(3):
        run.go_on(None, number)
    model = SequenceTagger(**words, shards=2).fit(X, Y)._model
    model.chain = run.chain()
    assert model.transitions() == one


@pytest.mark.parametrize("words", [{}, {"early_stopping": True}, {"early_stopping": True, "refit": False}])
def test_a_run_goes_on_from_any_round(words: dict[str, Any]) -> None:
    parameters = TaggerParameters(shards=3, rounds=2, max_iter=3, n_iter_no_change=2, **words)
    corpus, template_list = as_corpus(X), parse(["U:%x[0,0]", "B"])

    def run() -> TaggerRun:
        return run_over(parameters, template_list, corpus, *number_labels(as_tags(Y, corpus)), engine=Serial())

    first, taken = run(), []
    first.after_turn = lambda: taken.append(first.to_record())
    expected = first.fit()
    assert len(taken) >= 6
    for record, tensors in taken:
        again = run()
        again.restore(Parts(record, tensors))
        model = again.fit()
        assert bits(model.chain) == bits(expected.chain)
        for name in ("mistakes", "sentence_mistakes", "mixed_mistakes", "validation_scores"):
            assert np.array_equal(getattr(model, name), getattr(expected, name))
    record, tensors = taken[0]
    with pytest.raises(ValueError, match="expected the passes and rounds of one run"):
        run().restore(Parts(record, {**tensors, "mistakes": np.array([1, 2])}))
