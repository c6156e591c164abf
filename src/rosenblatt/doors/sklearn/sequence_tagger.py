"""The sequence tagger as a scikit-learn estimator. The member learns and answers."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator, _fit_context

from rosenblatt.base.arrays import Array
from rosenblatt.doors.sklearn.estimator import FittedOnSentences, engine_for, of_model, parameters_of, public
from rosenblatt.members.run import Watch
from rosenblatt.members.sentences.corpus import Format, TagColumns
from rosenblatt.members.sentences.tagger.learn import fit_tagger, learn_more_tagger
from rosenblatt.members.sentences.tagger.model import TaggerModel
from rosenblatt.members.sentences.tagger.parameters import TaggerDeclaration, TaggerParameters
from rosenblatt.members.sentences.tagger.templates import FileColumns
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.sentences import tagging as files


@public(TaggerParameters)
class SequenceTagger(FittedOnSentences, BaseEstimator, TaggerDeclaration):
    """A tagger of sentences: parts of speech, chunks, names, or any labels of the tokens of a sequence.

    Sentences are lists of tokens; a token is a word, or a tuple of columns (word, part of speech, ...). `fit_file`
    learns from CoNLL files, and `tag_file` tags them.

    Attributes
    ----------
    classes_ : the sorted labels
    n_iter_ : passes made
    kept_pass_ : the number of the pass whose weights answer: the best pass on held-out sentences, else the last
    converged_ : whether the last pass made no mistake
    mistakes_ : wrong tokens of each pass
    sentence_mistakes_ : wrong sentences of each pass, each an update
    mixed_mistakes_ : with `shards`, the mean of the shards' wrong sentences, with the factors that mix their weights,
        summed over the rounds of a pass
    validation_scores_ : with held-out sentences, the share of their tokens that is right, after each pass
    n_features_in_ : columns of a token that the templates look at
    file_columns_ : after `fit_file`, the meaning of the columns of the file
    n_weight_rows_ : rows of weights, one for each attribute that was in a mistake (for a bigram, with the label before)

    Examples
    --------
    >>> from rosenblatt import SequenceTagger
    >>> sentences = [["the", "dog", "barks"], ["a", "cat", "sleeps"], ["dogs", "sleep"]]
    >>> tags = [["DET", "NOUN", "VERB"], ["DET", "NOUN", "VERB"], ["NOUN", "VERB"]]
    >>> model = SequenceTagger().fit(sentences, tags)
    >>> model.predict([["the", "cat", "barks"]])
    [['DET', 'NOUN', 'VERB']]
    >>> model.mistakes_.tolist(), model.converged_
    ([4, 0], True)
    """

    _model_class: ClassVar[type[TaggerModel]] = TaggerModel
    mixed_mistakes_: Array = of_model("mixed_mistakes_", "The wrong sentences of each pass as `shards` are mixed.")

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Learn from sentences and their labels.

        Parameters
        ----------
        X
            Sentences: lists of words, or of tuples of columns.
        y
            For each sentence the list of its labels, which are strings.
        """
        return self._set_model(fit_tagger(parameters_of(self), X, y, engine=engine_for(self)))

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn from further sentences: one pass in the listed order, starting from the current weights.

        Chained calls equal one listed pass of `fit` over all the sentences, if `classes` lists all labels at the first
        call, or the first sentences have them all; a new label starts with zero weights. `shards` has no effect: the
        pass goes from sentence to sentence.
        """
        return self._set_model(learn_more_tagger(parameters_of(self), vars(self).get("_model"), X, y, classes))

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_file(
        self,
        path: FileLike | Sequence[FileLike],
        *,
        tag: TagColumns | None = None,
        columns: Sequence[int | str] | None = None,
        dev: FileLike | None = None,
        format: Format = "auto",  # noqa: A002
        watch: Watch | None = None,
    ) -> Self:
        r"""Learn from a CoNLL file: the model of `fit` with its sentences and tags, many times faster.

        Parameters
        ----------
        path, format
            As in `read_conll`; or several of these in a list, or a pattern such as "part-*.txt", whose files are taken
            in the order of their names: one data set, of the same columns.
        tag
            The column with the tags: a number from 0, or from -1 for the last, or a name of CoNLL-U. No template may
            look at it. Default: the last; in CoNLL-U upos. Several columns, such as `("upos", "xpos", "feats")`, are
            learned as one tag, their texts with a tab between them, and are several columns again in `tag_file`: this
            is more accurate than a tagger for each. `share` is then a tab, unless something else is chosen.
        columns
            The columns of the file that templates see as columns 0, 1, ... Default: the columns with these numbers; in
            CoNLL-U only the form.
        dev
            A further file with the same columns, which chooses the number of passes: the tagger has the weights after
            the first pass with the most right tokens in this file. It replaces `early_stopping`.
        watch
            A function that is called after each pass; if it returns a true value, the run ends.

        Examples
        --------
        >>> import io
        >>> from rosenblatt import SequenceTagger
        >>> text = b"the DT B-NP\ndog NN I-NP\nbarks VBZ B-VP\n\ndogs NNS B-NP\nbark VBP B-VP\n"
        >>> model = SequenceTagger(templates="chunk").fit_file(io.BytesIO(text))
        >>> model.predict([[("cats", "NNS"), ("sleep", "VBP")]])
        [['B-NP', 'B-VP']]
        >>> SequenceTagger(templates=["U:%x[0,2]"]).fit_file(io.BytesIO(text))
        Traceback (most recent call last):
        ValueError: templates: 'U:%x[0,2]' looks at column 2, which has the tags to learn
        """
        words: dict[str, Any] = {"tag": tag, "columns": columns, "dev": dev, "format": format, "watch": watch}
        return self._set_model(files.fit_tagger_file(parameters_of(self), path, **words, engine=engine_for(self)))

    def tag_file(
        self,
        path: FileLike,
        out: FileLike,
        *,
        n_best: int = 1,
        scores: bool = False,
        tag: TagColumns | None = None,
        columns: Sequence[int | str] | None = None,
        format: Format = "auto",  # noqa: A002
    ) -> None:
        r"""Tag a CoNLL file of any size: its tags become the last column; in CoNLL-U they replace a column.

        All else is written as it was read. An existing file is replaced only after the new one is complete.

        Parameters
        ----------
        path, format
            As in `read_conll`; for a file without a name, the default is the format of the file of `fit_file`.
        out
            As in `write_conll`.
        n_best
            How many of the best sequences to write, best first, each in its own column; `_` where a sentence has no
            more. Not in CoNLL-U.
        scores
            Whether a column with the score of the sequence follows each column of tags. Not in CoNLL-U.
        tag, columns
            As in `fit_file`. Default: their values there, if that file had the same format.

        Examples
        --------
        >>> import io, sys
        >>> from rosenblatt import SequenceTagger
        >>> model = SequenceTagger().fit([["the", "dog", "barks"], ["dogs", "bark"]], [["D", "N", "V"], ["N", "V"]])
        >>> out = io.BytesIO()
        >>> model.tag_file(io.BytesIO(b"the\ncat\n"), out, n_best=2)
        >>> print(out.getvalue().decode(), end="")
        the D D
        cat N V
        """
        model = self._fitted_model()
        files.tag_file(model, path, out, n_best=n_best, scores=scores, tag=tag, columns=columns, format=format)

    def file_columns(
        self,
        path: FileLike,
        *,
        tag: TagColumns | None = None,
        columns: Sequence[int | str] | None = None,
        format: Format = "auto",  # noqa: A002
    ) -> FileColumns:
        """What the columns of a file mean to this tagger: as given, or else as in `fit_file`."""
        return files.file_columns(self._fitted_model(), path, tag=tag, columns=columns, format=format)

    def predict(self, X: Any) -> list[list[str]]:
        """Return the labels of each sentence. Long work is done on all cores."""
        labels: list[list[str]] = self._fitted_model().predict(X)
        return labels

    def predict_nbest(self, X: Any, n: int) -> list[list[tuple[list[str], float]]]:
        """The n best label sequences of each sentence with their scores, best first, exactly.

        A score is the sum of the weights of a sequence, not a probability. The larger the difference between the first
        and the second score, the more certain the tagger is.

        Examples
        --------
        >>> model = SequenceTagger(templates=["U:%x[0,0]", "B"]).fit([["a", "b"]], [["A", "B"]])
        >>> model.predict_nbest([["a", "b"]], n=2)[0]
        [(['A', 'B'], 2.0), (['B', 'B'], 1.0)]
        """
        best: list[list[tuple[list[str], float]]] = self._fitted_model().predict_nbest(X, n)
        return best

    def score(self, X: Any, y: Any) -> float:
        """Return the share of tokens with the right label."""
        return float(self._fitted_model().score(X, y))

    @property
    def n_weight_rows_(self) -> int:
        """The number of rows of weights."""
        return int(self._fitted_model("n_weight_rows_").chain.n_weight_rows)
