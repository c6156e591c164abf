"""What each path does: the model of a name learns, predicts, shows its log, gives its file, rolls back."""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import msgspec
import numpy as np

from rosenblatt.serve.answer import Answer, json
from rosenblatt.serve.bodies import Body
from rosenblatt.serve.configuration import Configuration
from rosenblatt.serve.folder import Folder
from rosenblatt.serve.form import Asked
from rosenblatt.serve.history import page_of, waiting_rows
from rosenblatt.serve.refusal import RefusalError, bad, wrong
from rosenblatt.serve.requests import (
    About,
    Curve,
    CurvePoint,
    Feedback,
    LearnAnswer,
    Models,
    PredictAnswer,
    Prediction,
    Raw,
    Rollback,
    Status,
    decoded,
)
from rosenblatt.serve.served import Served
from rosenblatt.serve.work import Work

_FEEDBACK, _ROLLBACK, _PUT = map(msgspec.json.Decoder, (Feedback, Rollback, Configuration))
_ENCODE = msgspec.json.Encoder().encode
LOG_PAGE = 1000
LONGEST_ID = 256


class Request(NamedTuple):
    """What a handler is given: the name of the model, and what came with it."""

    name: str
    body: bytes
    media: str
    query: dict[str, str]

    def number(self, name: str, default: int) -> int:
        """A whole number of the query."""
        text = self.query.get(name, str(default))
        if not (text.isascii() and text.isdecimal() and len(text) < 19):
            raise bad(f"expected a whole number, found {text[:40]!r}", name)
        return int(text)


class Handlers:
    """Those of one server."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder

    def model(self, name: str) -> Served:
        """The model of this name."""
        found = self.folder.models.get(name)
        if found is None:
            raise RefusalError(404, f"there is no model {name[:64]!r}")
        return found

    async def put(self, request: Request) -> Answer:
        """Make a model, of a kind and its parameters, or from a model file."""
        base = None
        if request.body[:1] == b"{" or not request.body:
            configuration = decoded(_PUT, request.body)
            if configuration.file:
                raise wrong("expected a model file as the body, or no such entry", "file")
            configuration = configuration.with_defaults()
        else:
            base = request.body
            configuration = await asyncio.to_thread(Configuration.of_file, base)
        return await asyncio.to_thread(self._made, request.name, configuration.checked(), base)

    def _made(self, name: str, configuration: Configuration, base: bytes | None) -> Answer:
        with self.folder.making:
            known = self.folder.models.get(name)
            if known is None:
                try:
                    return json(about(self.folder.make(name, configuration, base)), 201)
                except (sqlite3.Error, OSError) as error:
                    raise RefusalError(507, f"the model could not be written: {error}") from error
        if known.configuration != configuration or not known.began_as(base):
            raise RefusalError(409, f"model {name!r} is there already, and was made otherwise")
        return json(about(known))

    async def get(self, request: Request) -> Answer:
        """What is known of a model."""
        return json(about(self.model(request.name)))

    async def models(self, _request: Request) -> Answer:
        """All of them."""
        return json(Models([about(model) for model in [*self.folder.models.values()]]))

    async def learn(self, request: Request) -> Answer:
        """Learn examples; the answer comes when they are on the disk and learned."""
        model = self.model(request.name)
        return await self._learned(model, _body(model, request).examples(), "examples")

    async def feedback(self, request: Request) -> Answer:
        """Learn from labels that come later, by the ids of their predictions."""
        model = self.model(request.name)
        labels = decoded(_FEEDBACK, request.body).feedback
        found = await asyncio.to_thread(waiting_rows, model.log, [one.id for one in labels])
        for k, one in enumerate(labels):
            if one.id not in found:
                raise RefusalError(404, f"there is no prediction {one.id[:64]!r} that waits", f"feedback[{k}].id")
        asked = [Asked(one.id, found[one.id], bytes(one.y)) for one in labels]
        return await self._learned(model, asked, "feedback")

    async def _learned(self, model: Served, asked: list[Asked], place: str) -> Answer:
        _check_count(model, len(asked), place)
        _check_ids([one.id for one in asked], lambda k: f"{place}[{k}].id")
        batch = model.form.examples(asked, place)
        learned, version = await _done(model, lambda done: Work(done, batch=batch))
        return json(LearnAnswer(learned, version))

    async def predict(self, request: Request) -> Answer:
        """Answer rows with the model as it is; with ids, keep them until their labels come."""
        model = self.model(request.name)
        rows, ids = _body(model, request).rows()
        _check_count(model, len(rows), "rows")
        if not model.has_learned:
            raise RefusalError(409, "the model has learned nothing yet")
        labels, decision, version = model.answer(model.form.asked(rows, "rows"))
        predictions: list[Any] = _predictions(labels, decision)
        if ids is not None:
            predictions = await self._kept(model, ids, rows, predictions)
        return json(PredictAnswer(predictions, version))

    async def _kept(self, model: Served, ids: list[str], rows: list[bytes], predictions: list[Any]) -> list[Raw]:
        if len(ids) != len(rows) or len(set(ids)) < len(ids):
            raise wrong(f"expected an id for each of the {len(rows):,} rows, none twice", "ids")
        _check_ids(ids, "ids[{}]".format)
        for key, one in zip(ids, predictions, strict=True):
            one.id = key
        kept = [
            (key, row.decode(), _ENCODE(one).decode()) for key, row, one in zip(ids, rows, predictions, strict=True)
        ]
        first, _ = await _done(model, lambda done: Work(done, kept=kept))
        for k, answer in enumerate(first):
            if answer is None:
                raise RefusalError(409, f"the label of {ids[k][:64]!r} was learned already", f"ids[{k}]")
        return [Raw(answer.encode()) for answer in first]

    async def log(self, request: Request) -> Answer:
        """A page of the log: the examples that make the model, in order."""
        model, size = self.model(request.name), min(request.number("limit", LOG_PAGE), LOG_PAGE)
        last = min(request.number("last", 0), LOG_PAGE)
        return json(await asyncio.to_thread(page_of, model, request.number("after", 0), size, last))

    async def file(self, request: Request) -> Answer:
        """The model file."""
        model = self.model(request.name)
        if not model.has_learned:
            raise RefusalError(409, "the model has learned nothing yet")
        content, version = await _done(model, lambda done: Work(done, task=model.file))
        headers = [
            (b"x-rosenblatt-seq", str(version).encode()),
            (b"content-disposition", f'attachment; filename="{model.name}.safetensors"'.encode()),
        ]
        return Answer(content, media=b"application/octet-stream", headers=headers)

    async def curve(self, request: Request) -> Answer:
        """The progressive mistakes."""
        model = self.model(request.name)
        points = model.tally.curve(model.learner.version, max(2, request.number("points", 200)))
        return json(Curve([CurvePoint(*point) for point in points], model.configuration.bound))

    async def rollback(self, request: Request) -> Answer:
        """Back to the model of the examples up to a sequence number."""
        model = self.model(request.name)
        to, last = decoded(_ROLLBACK, request.body).seq, model.learner.version
        if not 0 <= to <= last:
            raise wrong(f"expected a sequence number from 0 to {last}, found {to}", "seq")
        model.begin_rollback()
        await _done(model, lambda done: Work(done, task=lambda: model.roll_back(to)))
        return json(about(model))

    async def health(self, _request: Request) -> Answer:
        """The process is there."""
        return json(Status("ok"))

    async def ready(self, _request: Request) -> Answer:
        """Whether all models learn."""
        stopped = {model.name: why for model in [*self.folder.models.values()] if (why := model.learner.stopped)}
        return json(Status("stopped" if stopped else "ok", stopped), 503 if stopped else 200)


def about(model: Served) -> About:
    """What is said of a model."""
    classes, learner, configuration = model.run.classes, model.learner, model.configuration
    return About(
        name=model.name,
        kind=configuration.kind,
        parameters=configuration.parameters,
        classes=None if classes is None else classes.tolist(),
        n_features=model.run.n_features or configuration.n_features,
        seq=learner.seq,
        version=learner.version,
        examples=model.tally.examples,
        mistakes=model.tally.mistakes,
        bound=configuration.bound,
        drift=model.tally.drift,
        snapshot_seq=model.snapshots.seq,
        queue=model.queue.size,
        stopped=learner.stopped,
    )


def _body(model: Served, request: Request) -> Body:
    return Body(request.body, request.media, request.query, model.limits, model.form)


def _check_count(model: Served, count: int, place: str) -> None:
    if not 0 < count <= model.limits.rows:
        raise wrong(f"expected 1 to {model.limits.rows:,}, found {count:,}", place)


def _check_ids(ids: Sequence[str | None], place: Callable[[int], str]) -> None:
    for k, key in enumerate(ids):
        if key is not None and not (0 < len(key) <= LONGEST_ID and "\0" not in key):
            raise wrong(f"expected an id of 1 to {LONGEST_ID} characters other than \\0", place(k))


async def _done(model: Served, work: Callable[[Any], Work]) -> Any:
    """What the thread of a model makes of some work."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if not future.done():
            future.set_result(result) if error is None else future.set_exception(error)

    def done(result: Any, error: BaseException | None) -> None:
        with suppress(RuntimeError):  # the server has ended meanwhile, and nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    model.put(work(done))
    return await future


def _predictions(labels: list[Any], decision: Any) -> list[Any]:
    if decision is None:
        return [Prediction(label) for label in labels]
    if np.ndim(decision) == 1:
        return [Prediction(label, score) for label, score in zip(labels, decision.tolist(), strict=True)]
    return [Prediction(label, None, scores) for label, scores in zip(labels, decision.tolist(), strict=True)]
