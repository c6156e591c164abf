"""The run of a tagger or a parser: which sentences it holds out, how many passes it makes, which weights it keeps."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.members.randomness import hold_out, random_state
from rosenblatt.members.run import Turn, Watch, run
from rosenblatt.members.stopping import End, Stopping


class SentenceRun(ABC):
    """Pass after pass over some of the sentences, and the mistakes of each pass: a `Learner`.

    `after_turn`, if given, is called when the state is complete, so that another process could continue from it.
    """

    always_keeps_best = False  # whether to keep the weights of the best pass even if a run over all sentences follows

    def __init__(self, parameters: Any, n_sentences: int, *, watch: Watch | None = None) -> None:
        self.parameters, self.n_sentences, self.watch = parameters, n_sentences, watch
        self.after_turn: Callable[[], None] | None = None
        self.seed: int | None = None
        self.choice: Array | None = None  # the scores of a run with held-out sentences, when a run over all follows
        self.best: Any = None  # the weights with the best score
        self._weights: Any = None
        self._count_anew()

    def _count_anew(self) -> None:
        """Forget the passes."""
        self.mistakes, self.sentence_mistakes, self.scores = list[int](), list[int](), list[float]()

    @abstractmethod
    def _begin(self, sentences: Array) -> None:
        """Begin passes over these sentences."""

    @abstractmethod
    def _go_on(self) -> tuple[int, int] | None:
        """Continue the pass. At its end, return its mistakes, and the sentences with a mistake."""

    @abstractmethod
    def _copy_weights(self) -> Any:
        """A copy of the current weights."""

    @abstractmethod
    def _part(self, sentences: Array) -> Any:
        """These sentences in the form that `_score` needs."""

    @abstractmethod
    def _score(self, held_out: Any) -> float:
        """The share of right answers in held-out sentences."""

    @abstractmethod
    def _draw_seed(self, random: np.random.RandomState) -> int | None:
        """A random seed for the orders."""

    @abstractmethod
    def model(self, weights: Any = None, **fields: Any) -> Any:
        """The model with these weights, or those after the last pass."""

    def _prepare_best(self, held_out: Any) -> None:  # noqa: B027 - most members have nothing to do
        """What the held-out sentences can choose in addition to the number of passes."""

    def fit(self, dev: Any = None) -> Any:
        """Run as `max_iter` and `early_stopping` say, or until the best score on `dev`, which `_score` takes."""
        p, random = self.parameters, random_state(self.parameters.random_state)
        learned, held_out = np.arange(self.n_sentences), dev
        if dev is None and p.early_stopping:
            learned, chosen = hold_out(learned, p.validation_fraction, random)
            held_out = self._part(np.sort(chosen))
        self.seed = self._draw_seed(random)
        passes = p.max_iter
        if held_out is not None and self.choice is None:
            only = dev is not None or not p.refit
            keeps_best = only or self.always_keeps_best or self.watch is not None
            end = self._train(learned, passes, held_out, keeps_best=keeps_best)
            self._prepare_best(held_out)
            if only or end == "callback":
                return self.model(self.best, validation_scores=np.array(self.scores))
            self.choice = np.array(self.scores)
            self._count_anew()
        if self.choice is not None:
            passes = int(np.argmax(self.choice)) + 1
        self._train(np.arange(self.n_sentences), passes)
        return self.model(validation_scores=self.choice)

    def one_pass(self) -> Any:
        """One pass over all sentences in the listed order."""
        self._train(np.arange(self.n_sentences), 1)
        return self.model()

    def _train(self, sentences: Array, passes: int, held_out: Any = None, *, keeps_best: bool = False) -> End:
        """Make this number of passes, or fewer if one has no mistake or the score no longer improves."""
        self._begin(sentences)
        patience, tol = self.parameters.n_iter_no_change, None if held_out is None else 0.0
        stop = Stopping(n_rows=len(sentences), max_iter=passes, tol=tol, n_iter_no_change=patience)
        for number, mistakes in enumerate(self.mistakes):  # passes before the checkpoint from which the run continues
            stop.after([mistakes], -self.scores[number] if self.scores else 0.0)

        def measure() -> float:
            self.scores.append(self._score(held_out))
            if keeps_best and int(np.argmax(self.scores)) == len(self.scores) - 1:
                self.best = self.weights()
            return self.scores[-1]

        watch = self.watch
        return run(
            self,
            stop,
            score=None if held_out is None else measure,
            watch=None if watch is None else lambda so_far: so_far.over and watch(so_far),
            after_turn=self.after_turn,
        )

    def turn(self, passes: int) -> Turn:  # noqa: ARG002 - a turn is at most one pass
        """Continue for at most one pass."""
        self._weights = None
        wrong = self._go_on()
        if wrong is None:
            return Turn()
        mistakes, sentence_mistakes = wrong
        self.mistakes.append(mistakes)
        self.sentence_mistakes.append(sentence_mistakes)
        return Turn([mistakes], sentence_mistakes=sentence_mistakes)

    def weights(self) -> Any:
        """The weights after the last turn, copied once from the core."""
        if self._weights is None:
            self._weights = self._copy_weights()
        return self._weights

    def snapshot(self) -> Any:
        """A copy of the model as if the run ended here."""
        return self.model()
