"""The pipeline from text to trees as an object for Python. The service learns and answers."""

from collections.abc import Collection
from typing import ClassVar, Self

from sklearn.base import BaseEstimator

from rosenblatt.doors.sklearn.estimator import FittedModel, public
from rosenblatt.services.files.compressed import FileLike
from rosenblatt.services.sentences.treebank_scores import Score
from rosenblatt.services.text import files
from rosenblatt.services.text.documents import Document, read_document
from rosenblatt.services.text.learn import Tell, fit_pipeline
from rosenblatt.services.text.model import PipelineModel
from rosenblatt.services.text.parameters import PipelineDeclaration, PipelineParameters


@public(PipelineParameters)
class TextPipeline(FittedModel, BaseEstimator, PipelineDeclaration):
    r"""From a text to sentences, tokens, words, tags, lemmas and trees: all that a treebank can teach, in one model.

    Attributes
    ----------
    parts_ : the names of its parts
    scores_ : of each part, the share of right answers on the treebank that `fit_file` had as `dev`

    Examples
    --------
    >>> import io
    >>> from rosenblatt import TextPipeline
    >>> rows = ["1 Dogs dog NOUN _ _ 2 nsubj _ _", "2 bark bark VERB _ _ 0 root _ SpaceAfter=No"]
    >>> rows += ["3 . . PUNCT _ _ 2 punct _ _", "", ""]
    >>> treebank = "\n".join(rows).replace(" ", "\t")
    >>> pipeline = TextPipeline().fit_file(io.BytesIO(treebank.encode() * 9))
    >>> document = pipeline.annotate("Dogs bark.")
    >>> [(word.form, word.lemma, word.upos, word.head) for word in document.words]
    [('Dogs', 'dog', 'NOUN', 2), ('bark', 'bark', 'VERB', 0), ('.', '.', 'PUNCT', 2)]
    """

    _model_class: ClassVar[type[PipelineModel]] = PipelineModel

    def fit_file(
        self, path: FileLike, *, dev: FileLike | None = None, without: Collection[str] = (), tell: Tell | None = None
    ) -> Self:
        """Learn from a treebank in CoNLL-U.

        Parameters
        ----------
        path
            The treebank. Its text is what its tokens and their SpaceAfter say; `# text`, if it is there, must say the
            same.
        dev
            A further treebank, which chooses the number of passes of each part.
        without
            Names of parts to leave out: "words", "lemmas", "tree"; "tags" with both of the latter; "atoms" with
            "words", for a pipeline that begins with tokens. What the treebank does not have is left out too.
        tell
            A function that is called with the name of each part that has learned, and its score on `dev`.
        """
        parameters = PipelineParameters.of(**self.get_params())
        self._model = fit_pipeline(parameters, path, dev=dev, without=without, tell=tell)
        self.n_features_in_ = self._model.n_features
        return self

    def fit(self, path: FileLike) -> Self:
        """Learn from a treebank in CoNLL-U: `fit_file` without a further one."""
        return self.fit_file(path)

    def annotate(self, text: str) -> Document:
        """The sentences of a text, with all that the parts say of them."""
        return read_document(self._fitted_model(), text)

    def annotate_file(
        self,
        path: FileLike,
        out: FileLike,
        *,
        source: files.Source = "text",
        ranges: bool = False,
        as_json: bool = False,
    ) -> None:
        """Write what the parts say of a file of any size, as CoNLL-U, from which the text comes back byte for byte.

        Parameters
        ----------
        path
            A name, `-` for standard input, or a file opened in binary mode. A text must be printable UTF-8.
        out
            A name, `-` for standard output, or a file opened in binary mode.
        source
            What the file is: a "text", or CoNLL-U with "tokens", or with tokens and "tags".
        ranges
            Whether to write which characters of the text a token has: `TokenRange=first:last`.
        as_json
            A line of JSON for each sentence in place of CoNLL-U; for a text.
        """
        files.annotate_file(self._fitted_model(), path, out, source=source, ranges=ranges, as_json=as_json)

    def score_file(self, path: FileLike, *, source: files.Source = "text") -> dict[str, Score]:
        """What is right of all that the parts say of the text of a treebank, as the CoNLL 2018 shared task counts it.

        Parameters
        ----------
        path
            A treebank in CoNLL-U.
        source
            What of it the pipeline sees: its "text", its "tokens", or its tokens and "tags".

        Returns
        -------
        table
            Tokens, Sentences, Words, UPOS, XPOS, UFeats, AllTags, Lemmas, UAS, LAS, CLAS, MLAS, BLEX, each with its
            `f1`, `precision`, `recall`.
        """
        return files.score_file(self._fitted_model(), path, source)

    @property
    def parts_(self) -> list[str]:
        """The names of its parts."""
        return list(self._fitted_model("parts_").parts)

    @property
    def scores_(self) -> dict[str, float]:
        """The score of each part on the sentences held out."""
        return dict(self._fitted_model("scores_").scores)
