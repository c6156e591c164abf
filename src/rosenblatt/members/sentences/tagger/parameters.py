"""The parameters of the sequence tagger, each declared once."""

from typing import Any, ClassVar, Literal

from rosenblatt.base.declare import NOTHING, PATH, SEED, TEXT, TEXTS, Parameters, declaration, declare
from rosenblatt.members.offered import NOT_HELD_OUT, Limit, Limits, Way, only
from rosenblatt.members.parameters import default_rounds


@declaration
class TaggerDeclaration:
    """The parameters of a `SequenceTagger`."""

    templates: Any = declare(
        "pos",
        """What the tagger looks at: "pos" (for words alone), "chunk" (words and parts of speech), "ner", the path of a
        template file of CRF++, or a list of templates. See `rosenblatt.members.sentences.tagger.templates`.""",
        PATH,
        TEXTS,
    )
    boundary: Literal["mark", "drop"] = declare(
        "mark",
        """What a template sees beyond the ends of a sentence. "mark": a mark that says how far it is beyond. "drop":
        nothing, and no attribute is made.""",
    )
    readout: Literal["last", "average"] = declare(
        "average",
        """Which weights answer. "average": the mean of the weights after each sentence. "last": the last ones. It never
        changes the run, and may be changed after the fit.""",
    )
    step: Literal["perceptron", "pa", "pa1", "pa2"] = declare(
        "perceptron",
        """How far to step. "perceptron": 1. "pa", "pa1", "pa2": passive-aggressive, just far enough for the right
        labels to be ahead of the wrong ones by the root of the number of wrong labels.""",
    )
    C: float = declare(1.0, """The largest step of "pa1", the aggressiveness of "pa2".""", over=0)
    share: str | None = declare(
        None,
        """A separator within labels, such as "|". Labels that agree up to the first one then share weights beside
        their own: `NOUN|Number=Sing` and `NOUN|Number=Plur` those of `NOUN`. More accurate where labels are many.
        None: no label knows of another.""",
        TEXT,
        NOTHING,
    )
    min_count: int = declare(
        1,
        """How many tokens of the training data must have an attribute; rarer ones are left out. 2 makes the model half
        as large, and words seen once, which would be learned by heart, are learned as unknown words are met: by their
        endings, their form and their neighbours.""",
        least=1,
    )
    max_iter: int = declare(10, "The most passes; a pass without a mistake ends the run too.", least=1)
    shuffle: bool = declare(
        True, "Whether each pass takes the sentences in a new random order; else in the listed one."
    )
    early_stopping: bool = declare(
        False,
        """Whether to hold out a part of the sentences, and choose by it how many passes to make: the first number with
        the most tokens right.""",
    )
    validation_fraction: float = declare(0.1, "The part held out.", over=0, below=1)
    n_iter_no_change: int = declare(3, "For how many passes the score on the part held out may stand still.", least=1)
    refit: bool = declare(
        True, "Whether to train again on all sentences, with the number of passes that early stopping chose."
    )
    shards: int = declare(
        1,
        """How many parts the sentences are cut into, which learn at the same time from the same weights, and are then
        mixed (McDonald, Hall, Mann 2010). 1: the sequential rule. The result depends on it and on the seed, never on
        how many threads do the work. Many shards need more passes; see `rounds`.""",
        least=1,
    )
    rounds: int | Literal["auto"] = declare(
        "auto",
        """How often a pass mixes the `shards`. "auto": once for fewer than 16, then for every 8 of them.""",
        least=1,
    )
    n_jobs: int | None = declare(
        None,
        """Threads that learn from the shards. None: one; -1: all cores. The result does not depend on it.""",
        nonzero=True,
    )
    random_state: Any = declare(0, "Seed of the orders and of the part held out.", SEED)


class TaggerParameters(TaggerDeclaration, Parameters):
    """The parameters of a `SequenceTagger`."""

    offered: ClassVar[dict[Way, Limits]] = {
        "shards": {"min_count": only(1, why="no shard sees all tokens")},
        "cluster": {
            "shards": Limit(lambda shards: shards > 1, "at least 2", "they are what its workers share"),
            "min_count": only(1, why="no worker sees all tokens"),
        },
        "endless": {
            "early_stopping": only(False, why="each sentence is learned when it comes, and none is held out"),
            "min_count": only(1, why="nobody knows which attributes will come again"),
        },
        "more": {"early_stopping": NOT_HELD_OUT, "min_count": only(1, why="further sentences may have them again")},
    }

    @property
    def n_rounds(self) -> int:
        """How often a pass mixes the shards."""
        return default_rounds(self.shards) if self.rounds == "auto" else int(self.rounds)
