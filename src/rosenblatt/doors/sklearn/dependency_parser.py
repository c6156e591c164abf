"""The dependency parser as a scikit-learn estimator. The member learns and answers."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from sklearn.base import BaseEstimator, _fit_context

from rosenblatt.doors.sklearn.estimator import FittedOnSentences, of_model, parameters_of, public
from rosenblatt.members.run import Watch
from rosenblatt.members.sentences.parser.learn import Treebank, fit_parser, learn_more_parser
from rosenblatt.members.sentences.parser.model import ParserModel, Trees
from rosenblatt.members.sentences.parser.parameters import ParserDeclaration, ParserParameters
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.sentences import parsing as files


@public(ParserParameters)
class DependencyParser(FittedOnSentences, BaseEstimator, ParserDeclaration):
    """A parser of sentences: for each word its head and the label of the arc between them, as treebanks have them.

    Sentences are lists of tokens; a token is a word, or a tuple of a word, its universal part of speech, that of the
    language, and its features; the last ones can be left out. `fit_file` learns from CoNLL-U files, and `parse_file`
    parses them. Trees need not be projective.

    What is guaranteed: without a beam, each update is one of a multi-class perceptron. So there are at most
    2 T / delta^2 mistakes for T templates, if some weights of length 1 score the right actions of every visited
    configuration higher than the wrong ones, by at least delta. With a dynamic oracle these configurations depend on
    the run, so this guarantee differs from that of `StructuredPerceptron`, which is about the training trees. Neither
    says anything about new sentences.

    Attributes
    ----------
    classes_ : the sorted labels
    n_iter_ : passes made
    kept_pass_ : the number of the pass whose weights answer: the best pass on held-out sentences, else the last
    converged_ : whether the last pass made no mistake
    mistakes_ : wrong actions of each pass, each an update; with a beam, wrong sentences
    sentence_mistakes_ : sentences of each pass with a mistake
    validation_scores_ : with held-out sentences, the share of their arcs that is right, after each pass
    pruned_ : weights up to this absolute value were removed
    n_features_in_ : columns of a token that the templates look at
    file_columns_ : after `fit_file`, the columns of the file that templates look at
    n_weight_rows_ : rows of weights, one for each attribute

    Examples
    --------
    >>> from rosenblatt import DependencyParser
    >>> sentences = [[("the", "DET"), ("dog", "NOUN"), ("barks", "VERB")], [("cats", "NOUN"), ("sleep", "VERB")]]
    >>> heads, labels = [[2, 3, 0], [2, 0]], [["det", "nsubj", "root"], ["nsubj", "root"]]
    >>> model = DependencyParser().fit(sentences, heads, labels)
    >>> model.predict([[("the", "DET"), ("cat", "NOUN"), ("sleeps", "VERB")]])
    Trees(heads=[[2, 3, 0]], labels=[['det', 'nsubj', 'root']])
    >>> model.mistakes_.tolist(), model.converged_
    ([2, 0], True)
    """

    _model_class: ClassVar[type[ParserModel]] = ParserModel
    pruned_: float = of_model("pruned_", "Weights up to this, in size, were left out.", float)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, sentences: Any, heads: Any, labels: Any, *, watch: Watch | None = None) -> Self:
        """Learn from sentences and their trees.

        Parameters
        ----------
        sentences
            Lists of words, or of tuples of columns.
        heads
            For each sentence the list of its words' heads: the number of a word, from 1 on, or 0 for the root. Each
            sentence has one root, and no cycle.
        labels
            For each sentence the list of its words' labels, which are strings.
        watch
            A function that is called after each pass; if it returns a true value, the run ends.
        """
        return self._set_model(fit_parser(parameters_of(self), Treebank.of(sentences, heads, labels), watch=watch))

    @_fit_context(prefer_skip_nested_validation=True)
    def partial_fit(self, sentences: Any, heads: Any, labels: Any) -> Self:
        """Learn from further sentences: one pass in the listed order, starting from the current weights.

        It explores no wrong actions and prunes nothing. A new label starts with zero weights.
        """
        before = vars(self).get("_model")
        return self._set_model(learn_more_parser(parameters_of(self), before, Treebank.of(sentences, heads, labels)))

    @_fit_context(prefer_skip_nested_validation=True)
    def fit_file(
        self,
        path: FileLike | Sequence[FileLike],
        *,
        columns: Sequence[str] | None = None,
        dev: FileLike | None = None,
        watch: Watch | None = None,
    ) -> Self:
        r"""Learn from a CoNLL-U file: the model of `fit` with its sentences and trees, many times faster.

        Parameters
        ----------
        path
            As in `read_conll`; or several of these in a list, or a pattern such as "part-*.conllu", whose files are
            taken in the order of their names.
        columns
            The columns of the file that templates see as columns 0, 1, ... Default: form, upos, xpos, feats; if a file
            has no xpos, upos is used instead.
        dev
            A further file, which chooses the pass and the pruning: the parser has the weights after the first pass with
            the most right arcs in this file. It replaces `early_stopping`.
        watch
            A function that is called after each pass; if it returns a true value, the run ends.

        Examples
        --------
        >>> import io
        >>> from rosenblatt import DependencyParser
        >>> rows = ["1 dogs _ NOUN _ _ 2 nsubj _ _", "2 bark _ VERB _ _ 0 root _ _"]
        >>> text = "\n".join(row.replace(" ", "\t") for row in rows) + "\n"
        >>> DependencyParser().fit_file(io.BytesIO(text.encode())).predict([[("cats", "NOUN"), ("sleep", "VERB")]])
        Trees(heads=[[2, 0]], labels=[['nsubj', 'root']])
        >>> DependencyParser().fit_file(io.BytesIO(text.replace("\t2\t", "\t3\t").encode()))
        Traceback (most recent call last):
        rosenblatt.DataFileError: <file>:1:19: expected the number of a word of the sentence, or 0 for the root, found 3
        """
        if columns is not None:
            files.check_columns(columns)
        return self._set_model(files.fit_parser_file(parameters_of(self), path, columns=columns, dev=dev, watch=watch))

    def parse_file(self, path: FileLike, out: FileLike) -> None:
        r"""Parse a CoNLL-U file of any size: heads and labels replace its columns head and deprel.

        All else is written as it was read. An existing file is replaced only after the new one is complete.

        Examples
        --------
        >>> import io
        >>> from rosenblatt import DependencyParser
        >>> model = DependencyParser().fit([["dogs", "bark"]], [[2, 0]], [["nsubj", "root"]])
        >>> text = "# a comment\n" + "1 dogs{0}\n2 bark{0}\n".replace(" ", "\t").format("\t_" * 8)
        >>> out = io.BytesIO()
        >>> model.parse_file(io.BytesIO(text.encode()), out)
        >>> print(out.getvalue().decode().expandtabs(6), end="")
        # a comment
        1     dogs  _     _     _     _     2     nsubj _     _
        2     bark  _     _     _     _     0     root  _     _
        """
        files.parse_file(self._fitted_model(), path, out)

    def predict(self, sentences: Any) -> Trees:
        """Return the heads and the labels of each sentence, as two lists. Long work is done by `n_jobs` threads."""
        trees: Trees = self._fitted_model().predict(sentences)
        return trees

    def score(self, sentences: Any, heads: Any, labels: Any) -> float:
        """The share of words with the right head and label: LAS, subtypes of labels included."""
        treebank = Treebank.of(sentences, heads, labels)
        return float(self._fitted_model().share_right(*treebank))

    @property
    def n_weight_rows_(self) -> int:
        """The number of rows of weights."""
        return int(self._fitted_model("n_weight_rows_").weights.n_weight_rows)
