"""The parameters of the pipeline from text to trees, each declared once."""

from typing import Any, Literal

from rosenblatt.base.declare import SEED, SIZE, Parameters, declaration, declare


@declaration
class PipelineDeclaration:
    """The parameters of a `TextPipeline`."""

    tree: Literal["rich", "lean"] = declare(
        "rich",
        """What the parser looks at: "rich" (all that helps), "lean" (what helps most: more than twice as fast, and
        smaller).""",
    )
    paragraphs: Literal["empty line", "line"] = declare(
        "empty line",
        """Where a paragraph of a text ends, and with it a sentence: at an empty line, or at the end of each line.""",
    )
    folds: int = declare(
        5,
        """The training sentences are tagged in so many folds, each by a tagger that has learned from the others: so
        lemmas and trees are learned from tags that are as often wrong as those of new sentences.""",
        least=2,
    )
    max_size: Any = declare(
        "12MB",
        """The most that the model file may have, such as "12MB" or "800kB": the smallest weights of the parser are left
        out until it fits, which also makes it faster.""",
        SIZE,
    )
    max_iter: int = declare(20, "The most passes of each part; a pass without a mistake ends it too.", least=1)
    n_jobs: int | None = declare(
        -1, "Threads that parse. None: one; -1: all cores. The result does not depend on it.", nonzero=True
    )
    random_state: Any = declare(0, "Seed of the orders of each part.", SEED)


class PipelineParameters(PipelineDeclaration, Parameters):
    """The parameters of a `TextPipeline`."""
