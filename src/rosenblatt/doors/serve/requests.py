"""The JSON bodies of requests and answers. The description at /openapi.json is generated from these classes."""

from typing import Annotated, Any

import msgspec

from rosenblatt.doors.serve.answers import bad
from rosenblatt.services.files.encoding.reasons import RowReason

JSON, FILE = "application/json", "application/octet-stream"  # the types of bodies
NDJSON, CSV, SVMLIGHT = "application/x-ndjson", "text/csv", "text/x-svmlight"

Raw = msgspec.Raw


# Limits that the description adds to some types. Other code checks them, with better messages.
_CELL = {"type": ["number", "string", "boolean", "null"]}
_TOKEN = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
ROW_FORMS = [
    {"type": "array", "items": {"type": "number"}, "minItems": 1},
    {"type": "object", "additionalProperties": _CELL},
    {"type": "array", "items": _TOKEN, "minItems": 1, "maxItems": 10_000},
]
LABEL_FORMS: list[dict[str, Any]] = [
    {"type": "string", "minLength": 1, "maxLength": 256, "pattern": r"^[^\u0000]*$"},
    {"type": "integer", "exclusiveMinimum": -(2**53), "exclusiveMaximum": 2**53},
]
Row = Annotated[Raw, msgspec.Meta(extra_json_schema={"anyOf": ROW_FORMS})]
_TAGS = {"type": "array", "items": LABEL_FORMS[0], "minItems": 1}
AnyLabel = Annotated[Raw, msgspec.Meta(extra_json_schema={"anyOf": [*LABEL_FORMS, _TAGS]})]
Id = Annotated[str, msgspec.Meta(extra_json_schema=LABEL_FORMS[0])]
Seq = Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 0})]

Most = Annotated[int, msgspec.Meta(ge=1, le=10**6)]
MOST = 5  # labels, or reasons, if no other number is asked for


class Example(msgspec.Struct, forbid_unknown_fields=True):
    """An example: x is `[1.5, 0]`, `{"0": 1.5}` by feature from 0 on, `{"wind": 3}` by column, or a sentence."""

    x: Row
    y: AnyLabel
    id: Id | None = None


class Learn(msgspec.Struct, forbid_unknown_fields=True):
    """Examples to learn, in order."""

    examples: list[Example]


class Predict(msgspec.Struct, forbid_unknown_fields=True):
    """Rows to answer. With an id for each, they are kept until `feedback` brings their labels."""

    rows: list[Row]
    ids: list[Id] | None = None


class Top(msgspec.Struct, forbid_unknown_fields=True):
    """Texts, or rows of a model of texts, and how many labels of each."""

    rows: list[Row]
    k: Most = MOST


class Explain(msgspec.Struct, forbid_unknown_fields=True):
    """Texts, or rows of a model of texts; the label to explain, else that of the answer; and how many reasons."""

    rows: list[Row]
    label: str | int | None = None
    k: Most = MOST


class Labelled(msgspec.Struct, forbid_unknown_fields=True):
    """The label of a prediction that the server has kept."""

    id: Id
    y: AnyLabel


class Feedback(msgspec.Struct, forbid_unknown_fields=True):
    """Labels that came after their predictions."""

    feedback: list[Labelled]


class Rollback(msgspec.Struct, forbid_unknown_fields=True):
    """The sequence number to return to."""

    seq: Seq


class LearnedExample(msgspec.Struct, omit_defaults=True):
    """The result for an example: `predicted` is the label that the model predicted before it learned the right one."""

    seq: int
    predicted: Raw
    mistake: bool
    id: str | None = None
    repeated: bool = False  # the id was there before: this is the answer from then
    learned: bool = True  # false: its numbers are too large; it is in the log, but the model did not change


class LearnAnswer(msgspec.Struct):
    """All examples are on the disk and learned; `version` is the newest sequence number in the model."""

    examples: list[LearnedExample]
    version: int


class PredictedLabel(msgspec.Struct, omit_defaults=True):
    """A label and its score: with two classes, a positive score means the second; else the score of each class.

    A model with probabilities says that of each class, too.
    """

    label: Any
    score: float | None = None
    scores: list[float] | None = None
    probabilities: list[float] | None = None
    id: str | None = None


class PredictAnswer(msgspec.Struct):
    """The answers, and the version of the model that gave them."""

    predictions: list[Any]
    version: int


class TopLabel(msgspec.Struct):
    """A label and its probability, or its score if the model has no probabilities."""

    label: Any
    score: float


class TopAnswer(msgspec.Struct):
    """The best labels of each row, best first, and the version of the model that gave them."""

    rows: list[list[TopLabel]]
    version: int


class WhyLabel(msgspec.Struct):
    """Why a row has a label: words with their places in its text, and cells of other columns; those that decide most
    first. `share`: what it adds to the score of the label.
    """

    label: Any
    reasons: list[RowReason]


class WhyAnswer(msgspec.Struct):
    """Why rows have their labels, and the version of the model that gave them."""

    rows: list[WhyLabel]
    version: int


class LogEntry(msgspec.Struct):
    """An example of the log, as the client sent it."""

    seq: int
    id: str | None
    x: Raw
    y: Raw
    predicted: Raw


class LogPage(msgspec.Struct):
    """Examples of the log in order; `last` is the newest sequence number."""

    examples: list[LogEntry]
    last: int


class CurvePoint(msgspec.Struct):
    """The mistakes made up to a sequence number."""

    seq: int
    mistakes: int


class Curve(msgspec.Struct):
    """The progressive mistakes, and their maximum if theory gives one."""

    points: list[CurvePoint]
    bound: float | None


class Mistaken(msgspec.Struct):
    """What was wrong, and where in the request."""

    error: str
    place: str | None


class About(msgspec.Struct):
    """The state of a model. `hash` is that of its log up to `seq`; examples up to `begins_after` were compacted."""

    name: str
    kind: str
    parameters: dict[str, Any]
    classes: list[str | int | float] | None
    n_features: int | None
    seq: int
    hash: str
    begins_after: int
    version: int
    examples: int
    mistakes: int
    bound: float | None
    drift: float
    snapshot_seq: int
    queue: int
    stopped: str | None


class Models(msgspec.Struct):
    """All models of the server that answer, and why the others do not."""

    models: list[About]
    unavailable: dict[str, str] = {}


class Status(msgspec.Struct):
    """`ok`, or which models do not learn or answer, and why; and which are being opened."""

    status: str
    stopped: dict[str, str] = {}
    opening: dict[str, str] = {}


def explain(error: Exception) -> str:
    """The error of msgspec, as the rest of a sentence, without the place, because the caller adds it."""
    text = str(error).partition(" - at ")[0]
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def decode_body(decoder: Any, body: bytes, what: str | None = None) -> Any:
    """Decode a JSON body. If it does not have the right form, raise a 400 with the place."""
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        place = (what or "") + str(error).partition(" - at `$")[2].rstrip("`")
        raise bad(f"expected another body: {explain(error)}", place.lstrip(".") or None) from None
