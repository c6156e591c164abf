"""The run of a tagger or a parser: which sentences it holds out, how many passes it makes, whose weights it keeps."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.members.randomness import hold_out, random_state
from rosenblatt.members.run import Turn, Watch, run
from rosenblatt.members.stopping import End, Stopping


class SentenceRun(ABC):
    """Pass after pass over some of the sentences, and what each pass got wrong: a `Learner`.

    `after_turn`, if there is one, is called whenever the run could be taken down and go on from there.
    """

    always_keeps_best = False  # also where the run over all sentences that follows gives the weights

    def __init__(self, parameters: Any, n_sentences: int, *, watch: Watch | None = None) -> None:
        self.parameters, self.n_sentences, self.watch = parameters, n_sentences, watch
        self.after_turn: Callable[[], None] | None = None
        self.seed: int | None = None
        self.choice: Array | None = None  # the scores of a run that has held sentences out, once another goes on
        self.best: Any = None  # the weights with the best score
        self._weights: Any = None
        self._count_anew()

    def _count_anew(self) -> None:
        """Forget the passes."""
        self.mistakes, self.sentence_mistakes, self.scores = list[int](), list[int](), list[float]()

    @abstractmethod
    def _begin(self, sentences: Array) -> None:
        """The passes to come are over these sentences, from the start."""

    @abstractmethod
    def _go_on(self) -> tuple[int, int] | None:
        """Some of a pass; at its end its mistakes, and the sentences that had one."""

    @abstractmethod
    def _copy_weights(self) -> Any:
        """The weights as they are now."""

    @abstractmethod
    def _part(self, sentences: Array) -> Any:
        """These sentences, as `_score` takes them."""

    @abstractmethod
    def _score(self, held_out: Any) -> float:
        """The share of what is right in sentences held out."""

    @abstractmethod
    def _draw_seed(self, random: np.random.RandomState) -> int | None:
        """The seed of the orders."""

    @abstractmethod
    def model(self, weights: Any = None, **fields: Any) -> Any:
        """What was learned: these weights, else those after the last pass."""

    def _prepare_best(self, held_out: Any) -> None:  # noqa: B027 - most members have nothing to do
        """What can be chosen by the sentences held out, beside the number of passes."""

    def fit(self, dev: Any = None) -> Any:
        """As `max_iter` and `early_stopping` have it; or until it is best on `dev`, which `_score` takes."""
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
        """So many passes, until one makes no mistake, or until the score no longer gets better."""
        self._begin(sentences)
        patience, tol = self.parameters.n_iter_no_change, None if held_out is None else 0.0
        stop = Stopping(n_rows=len(sentences), max_iter=passes, tol=tol, n_iter_no_change=patience)
        for number, mistakes in enumerate(self.mistakes):  # of a run that goes on from a checkpoint
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
        """Some of a pass, or all of it."""
        self._weights = None
        wrong = self._go_on()
        if wrong is None:
            return Turn()
        mistakes, sentence_mistakes = wrong
        self.mistakes.append(mistakes)
        self.sentence_mistakes.append(sentence_mistakes)
        return Turn([mistakes], sentence_mistakes=sentence_mistakes)

    def weights(self) -> Any:
        """The weights after the last turn, copied from the core once."""
        if self._weights is None:
            self._weights = self._copy_weights()
        return self._weights

    def snapshot(self) -> Any:
        """The model as if the run ended here."""
        return self.model()
