"""The parameters of the dependency parser, each declared once."""

from typing import Any, ClassVar, Literal

from rosenblatt.base.declare import NOTHING, PATH, SEED, SIZE, TEXTS, Parameters, declaration, declare
from rosenblatt.members.offered import NOT_HELD_OUT, Limits, Way, only


@declaration
class ParserDeclaration:
    """The parameters of a `DependencyParser`."""

    templates: Any = declare(
        "rich",
        """What the parser looks at: "rich" (all that helps), "lean" (what helps most: faster, and smaller), the path of
        a file of templates, or a list of templates. See `rosenblatt.members.sentences.parser.templates`.""",
        PATH,
        TEXTS,
    )
    readout: Literal["last", "average"] = declare(
        "average",
        """Which weights answer. "average": the mean of the weights after each visit. "last": the last ones. It never
        changes the run, and may be changed after the fit.""",
    )
    beam: int = declare(
        1,
        """How many ways through a sentence to go on with. 1: greedy, one action after the other. With more, training
        updates where the best way is furthest ahead of the right one (max-violation).""",
        least=1,
        below=4097,
    )
    exploration: float = declare(
        0.9,
        """How often a greedy parser goes on from its own action in training, from the second pass on, and not from the
        right one: so it learns what to do after a mistake. 0: never. 1 or more: always.""",
        least=0,
    )
    prune: float | Literal["auto"] = declare(
        "auto",
        """Weights up to this, in size, are left out when the training is over: the model is smaller and faster. "auto":
        as much as costs at most a quarter of a percent of the arcs of sentences held out; without any, 0.""",
        least=0,
    )
    max_size: Any = declare(
        None,
        """The most that the weights may take in a file, such as "10MB" or "800kB": as many small weights as it needs
        are left out, beyond those of `prune`. None: no limit.""",
        SIZE,
        NOTHING,
    )
    max_iter: int = declare(16, "The most passes; a pass without a mistake ends the run too.", least=1)
    shuffle: bool = declare(
        True, "Whether each pass takes the sentences in a new random order; else in the listed one."
    )
    early_stopping: bool = declare(
        False,
        """Whether to hold out a part of the sentences, and choose by it how many passes to make: the first number with
        the most arcs right, labels included.""",
    )
    validation_fraction: float = declare(0.1, "The part held out.", over=0, below=1)
    n_iter_no_change: int = declare(5, "For how many passes the score on the part held out may stand still.", least=1)
    refit: bool = declare(
        True, "Whether to train again on all sentences, with the number of passes that early stopping chose."
    )
    n_jobs: int | None = declare(
        -1, "Threads that parse. None: one; -1: all cores. The result does not depend on it.", nonzero=True
    )
    random_state: Any = declare(0, "Seed of the orders, of exploration and of the part held out.", SEED)


class ParserParameters(ParserDeclaration, Parameters):
    """The parameters of a `DependencyParser`."""

    offered: ClassVar[dict[Way, Limits]] = {
        "more": {
            "early_stopping": NOT_HELD_OUT,
            "max_size": only(None, why="weights that are left out now may be needed for further sentences"),
        }
    }
