"""The parameters of a classifier of texts, each declared once."""

from typing import Any, ClassVar, Literal

from rosenblatt.base.declare import CLASS_WEIGHTS, NOTHING, SEED, SIZE, TEXT, OneOf, Parameters, declaration, declare
from rosenblatt.members.linear.parameters import PerceptronParameters
from rosenblatt.members.offered import Limits, Way, only


@declaration
class TextFeaturesDeclaration:
    """What the features of texts are, wherever texts are learned from."""

    ngrams: int = declare(2, "The features are n-grams of 1 to so many words that follow each other.", least=1, below=9)
    chars: int | Literal["auto"] = declare(
        "auto",
        """Also n-grams of 3 to so many characters inside words; 0: none. "auto": 4 for short texts, of 300 bytes or
        less in the mean, as they help there, and none for longer ones.""",
        least=0,
        below=17,
    )
    weighting: Literal["auto", "tfidf", "log", "binary", "ratio"] = declare(
        "auto",
        """How much a feature counts in a text. "tfidf": the more often in the text, and the rarer in others, the more.
        "ratio": the more unevenly the classes have it, the more (naive Bayes). "log": by its number in the text alone.
        "binary": all the same. "auto": "ratio" for two classes, "tfidf" for more.""",
    )
    bits: int = declare(22, "N-grams are hashed into 2^bits features.", least=8, below=28)


_ONE_LABEL: Limits = {
    "label_separator": only(None, why="labels get their thresholds from texts that are left out of runs in memory")
}


@declaration
class TextDeclaration(TextFeaturesDeclaration):
    """The parameters of a `TextClassifier`."""

    r: float | Literal["auto"] = declare(
        "auto",
        """The regularisation of the AROW steps: the larger, the smaller the steps, as noisy labels need it. "auto": of
        0.5, 2, 8, 32 the one that makes the labels of a fifth of the texts, which is left out, most likely.""",
        over=0,
    )
    label_separator: str | None = declare(
        None,
        """What is between several labels of a text, where they are one text, such as ";" in "sport;news". None: each
        text has one label, or a list of labels.""",
        TEXT,
        NOTHING,
    )
    max_size: Any = declare(
        "10MB",
        """The most that the model file may have, such as "2MB" or "500kB". Where not all features fit, those are left
        out that change the scores least. With another size than the default, a run without a fifth of the texts
        tells how much accuracy that costs.""",
        SIZE,
    )
    max_iter: int = declare(3, "The most passes over the texts; a pass without a mistake is the last.", least=1)
    class_weight: Any = declare(
        None,
        """Weights of the classes, which scale 1 / `r`: a dict, or "balanced".""",
        OneOf(("balanced",)),
        CLASS_WEIGHTS,
        NOTHING,
    )
    probabilities: bool = declare(
        True,
        """Whether scores become probabilities: runs without a fifth of the texts show how sure scores are to be
        right.""",
    )
    random_state: Any = declare(0, "Seed of the orders, and of the texts that are left out for probabilities.", SEED)


class TextParameters(TextDeclaration, Parameters):
    """The parameters of a `TextClassifier`."""

    tie: ClassVar[str] = "mistake"
    counted: ClassVar[str] = "updates"
    offered: ClassVar[dict[Way, Limits]] = {"stream": _ONE_LABEL, "cluster": _ONE_LABEL, "endless": _ONE_LABEL}

    def perceptron(self, r: float) -> PerceptronParameters:
        """The run over the rows of texts, with the parameters of a perceptron."""
        return PerceptronParameters(
            step="arow",
            r=r,
            max_iter=self.max_iter,
            class_weight=self.class_weight,
            random_state=self.random_state,
        )
