"""The classifier of texts as a scikit-learn estimator: a door to the member, which learns and answers."""

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, _fit_context

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import all_or_nothing
from rosenblatt.doors.sklearn.estimator import (
    FittedRun,
    Probabilities,
    ScoresLabels,
    of_model,
    parameters_of,
    public,
    validate_labels,
)
from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.members.linear.text.encoding import as_texts
from rosenblatt.members.linear.text.learn import fit_text
from rosenblatt.members.linear.text.model import SeveralLabels, TextModel
from rosenblatt.members.linear.text.online import TextOnline
from rosenblatt.members.linear.text.parameters import TextDeclaration, TextParameters
from rosenblatt.members.linear.text.reasons import Reasons
from rosenblatt.members.linear.text.several import LabelSets, has_several


@public(TextParameters)
class TextClassifier(Probabilities, ScoresLabels, FittedRun, ClassifierMixin, BaseEstimator, TextDeclaration):
    """Raw texts in, labels out: words and their n-grams, weighted, and AROW over them, averaged.

    It takes texts of any language as they are. What a feature is, how much it counts and how strong the steps are is
    chosen from the texts, unless told. There are two labels or more. Each text has one, or any number of them: then
    `predict` gives a list for each text, and `predict_proba` the probability of each label for itself.

    Attributes
    ----------
    classes_ : the sorted labels
    n_iter_ : passes made
    converged_ : whether the last pass made no mistake
    mistakes_ : updates of each pass: texts that were wrong or inside the margin
    n_updates_ : how often the weights changed
    r_ : the regularisation that was used
    weighting_ : the weighting that was used
    chars_ : n-grams of 3 to so many characters were used; 0: none
    n_features_in_ : features of the texts

    Examples
    --------
    >>> from rosenblatt import TextClassifier
    >>> texts = ["a fine film", "dull and long", "fine actors, a fine plot", "long, dull, bad"]
    >>> model = TextClassifier().fit(texts, ["good", "bad", "good", "bad"])
    >>> model.predict(["a fine evening", "what a dull evening"])
    array(['good', 'bad'], dtype='<U4')
    >>> [reason.word for reason in model.explain("a fine evening") if reason.share > 0.1]
    ['a', 'fine']
    """

    _model_class: ClassVar[type[TextModel]] = TextModel

    n_updates_: int = of_model("n_updates_", "How often the weights changed.", int)
    r_: float = of_model("r_", "The regularisation that was used.", float)
    weighting_: str = of_model("weighting_", "The weighting that was used.")
    chars_: int = of_model("chars_", "N-grams of 3 to so many characters were used; 0: none.", int)

    @_fit_context(prefer_skip_nested_validation=True)
    def fit(self, X: Any, y: Any) -> Self:
        """Learn from all texts.

        Parameters
        ----------
        X
            Texts: a list, or a column of numpy, pandas, polars or Arrow.
        y
            Their labels, of any kind; for several labels a text, a list of labels for each.
        """
        with all_or_nothing(self):
            if not has_several(y):
                validate_labels(np.asarray(y))
            self._model, _ = fit_text(parameters_of(self), TextRows.of(X), y)
            self.n_features_in_ = self._model.n_features
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> Self:
        """Learn further texts, one after the other; new labels may come with any of them.

        What words tell is counted as texts come, by tf-idf unless `weighting` is "log" or "binary". A model that was
        fitted goes on with its weighting, and if that is "ratio", with its ratios as they are; it keeps its
        probabilities until a new label comes. The result does not depend on how texts are grouped into calls.

        Parameters
        ----------
        X
            Texts: a list, or a column of numpy, pandas, polars or Arrow.
        y
            Their labels.
        classes
            Labels that are known before; they need not be given.

        Examples
        --------
        >>> model = TextClassifier().partial_fit(["red rose", "blue sea"], ["red", "blue"])
        >>> model = model.partial_fit(["a green leaf", "the red one"], ["green", "red"])
        >>> model.predict(["a red leaf", "the sea"])
        array(['green', 'blue'], dtype='<U5')
        """
        with all_or_nothing(self):
            if has_several(y):
                raise ValueError("y: expected one label a text to learn text by text, found a list of labels for each")
            labels = np.asarray(y)
            validate_labels(labels)
            before = self._fitted_model() if hasattr(self, "_model") else None
            rows = TextRows.of(X)
            if len(labels) != len(rows):
                raise ValueError(f"y: expected {len(rows)} labels, one a text, found {len(labels)}")
            run = TextOnline(parameters_of(self), before, same_pass=before is not None, classes=classes)
            run.learn(rows, labels.tolist())
            self._model = run.model()
            self.n_features_in_ = self._model.n_features
        return self

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right answers; with several labels a text, of right sets of labels, as in scikit-learn."""
        model = self._fitted_model()
        if not isinstance(model, SeveralLabels):
            return super().score(X, y, sample_weight)
        sets = LabelSets.of(y, self.label_separator, model.classes)
        right = ((self.decision_function(X) > 0) == sets.has).all(axis=1)
        return float(np.average(right, weights=sample_weight))

    def decision_function(self, X: Any) -> Array:
        """The score of each text; for more than two classes, of each class."""
        decision: Array = self._fitted_model().decision(TextRows.of(X))
        return decision

    def predict(self, X: Any) -> Array:
        """The label of each text; after a fit to several labels a text, the list of its labels."""
        labels: Array = self._fitted_model().labels_of(self.decision_function(X))
        return labels

    def top(self, X: Any, k: int = 3) -> list[list[tuple[Any, float]]]:
        """The k best labels of each text, the best first, each with its probability, or its score if there is none.

        >>> model = TextClassifier(probabilities=False).fit(["a b", "c d", "e f"], ["x", "y", "z"])
        >>> [[label for label, _ in best] for best in model.top(["c", "f e"], k=1)]
        [['y'], ['z']]
        """
        best: list[list[tuple[Any, float]]] = self._fitted_model().top(TextRows.of(X), k)
        return best

    def explain(self, text: str, label: Any = None) -> Reasons:
        """What each word of a text adds to the score of a label: the answer, unless given.

        A feature of several words is shared among them, so that all shares and the constant feature make the score.
        A notebook shows the text with its words coloured.
        """
        reasons: Reasons = self._fitted_model().explain(as_texts([text])[0], label)
        return reasons

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        tags.input_tags.string = True
        return tags
