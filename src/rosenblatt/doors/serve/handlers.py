"""What each path does: the model of a name learns, predicts, shows its log, gives its file, rolls back.

What takes long is done beside the loop that answers others, two large bodies at a time: each takes a multiple of its
size while it is read.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import msgspec

from rosenblatt.doors.serve.answer import Answer, json
from rosenblatt.doors.serve.bodies import Body
from rosenblatt.doors.serve.configuration import Configuration
from rosenblatt.doors.serve.folder import Folder
from rosenblatt.doors.serve.form import Asked, Batch
from rosenblatt.doors.serve.history import page_of, waiting_rows
from rosenblatt.doors.serve.refusal import RefusalError, bad, wrong
from rosenblatt.doors.serve.requests import (
    About,
    Curve,
    CurvePoint,
    LearnAnswer,
    Models,
    Prediction,
    Rollback,
    Status,
    decoded,
)
from rosenblatt.doors.serve.routes import JSON
from rosenblatt.doors.serve.served import Served
from rosenblatt.doors.serve.work import Work

T = TypeVar("T")
_ROLLBACK, _PUT = map(msgspec.json.Decoder, (Rollback, Configuration))
_ENCODE = msgspec.json.Encoder().encode
LOG_PAGE = 1000
LONGEST_ID = 256
SMALL = 8 << 10  # bytes that are read at once: another thread would cost more
QUICK = 10**6  # steps that are made at once
LARGEST_CONFIGURATION = 1 << 20  # bytes
LARGE_BODIES = 2  # that are read at a time


class Request(NamedTuple):
    """What a handler is given: the name of the model, and what came with it."""

    name: str
    body: bytes
    media: str
    query: dict[str, str]

    def number(self, name: str, default: int, least: int = 0) -> int:
        """A whole number of the query."""
        text = self.query.get(name, str(default))
        if not (text.isascii() and text.isdecimal() and len(text) < 19):
            raise bad(f"expected a whole number, found {text[:40]!r}", name)
        if int(text) < least:
            raise bad(f"expected a whole number from {least} on, found {text}", name)
        return int(text)


class Handlers:
    """Those of one server."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._readers = ThreadPoolExecutor(LARGE_BODIES, "reader")

    async def _apart(self, size: int, work: Callable[[], T]) -> T:
        """What is made of so many bytes, beside the loop if they are many."""
        return work() if size <= SMALL else await self._beside(work)

    async def _beside(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def model(self, name: str) -> Served:
        """The model of this name."""
        found = self.folder.models.get(name)
        if found is None:
            if name in self.folder.openings:
                raise self.folder.openings[name].refusal()
            raise RefusalError(404, f"there is no model {name[:64]!r}")
        return found

    async def put(self, request: Request) -> Answer:
        """Make a model, of a kind and its parameters, or from a model file."""
        base = None
        if request.media == JSON:
            if len(request.body) > LARGEST_CONFIGURATION:
                raise RefusalError(413, f"expected a configuration of at most {LARGEST_CONFIGURATION:,} bytes")
            configuration = decoded(_PUT, request.body)
            if configuration.file:
                raise wrong("expected a model file as the body, or no such entry", "file")
            configuration = configuration.with_defaults()
        else:
            base = request.body
            configuration = await asyncio.to_thread(Configuration.of_file, base)
        return await asyncio.to_thread(self._made, request.name, configuration, base)

    def _made(self, name: str, configuration: Configuration, base: bytes | None) -> Answer:
        configuration = configuration.checked(self.folder.limits)
        with self.folder.making:
            known = self.model(name) if name in self.folder.openings else None
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
        models = [model for _, model in sorted(self.folder.models.items())]
        unavailable = {name: opening.why for name, opening in self.folder.unavailable().items()}
        return json(Models([about(model) for model in models], unavailable))

    async def learn(self, request: Request) -> Answer:
        """Learn examples; the answer comes when they are on the disk and learned."""
        model = self.model(request.name)
        return await self._learned(model, len(request.body), _body(model, request).examples, "examples")

    async def feedback(self, request: Request) -> Answer:
        """Learn from labels that come later, by the ids of their predictions."""
        model = self.model(request.name)
        labels = await self._apart(len(request.body), _body(model, request).labelled)
        found = await asyncio.to_thread(waiting_rows, model.log, [one.id for one in labels], model.limits.body)
        for k, one in enumerate(labels):
            if one.id not in found:
                raise RefusalError(404, f"there is no prediction {one.id[:64]!r} that waits", f"feedback[{k}].id")
        asked = [Asked(one.id, found[one.id], bytes(one.y)) for one in labels]
        return await self._learned(model, sum(len(one.x) for one in asked), lambda: asked, "feedback")

    async def _learned(self, model: Served, size: int, read: Callable[[], list[Asked]], place: str) -> Answer:
        form = model.form

        def checked() -> Batch:
            asked = read()
            _check_ids([one.id for one in asked], lambda k: f"{place}[{k}].id")
            return form.examples(asked, place)

        async with form.turn:  # examples are learned in the order in which they are checked
            batch = await self._apart(size, checked)
            if model.form is not form:
                raise RefusalError(429, "the model was rolled back meanwhile", retry_after=1)
            done = _begin(model, lambda done: Work(done, batch=batch))
        learned, version = await done
        return json(LearnAnswer(learned, version))

    async def predict(self, request: Request) -> Answer:
        """Answer rows with the model as it is; with ids, keep them until their labels come."""
        model = self.model(request.name)
        body = _body(model, request)
        if not model.has_learned:
            raise RefusalError(409, "the model has learned nothing yet")

        def read() -> tuple[list[bytes], list[str] | None, Any, int]:
            rows, ids = body.rows()
            if ids is not None:
                if len(ids) != len(rows) or len(set(ids)) < len(ids):
                    raise wrong(f"expected an id for each of the {len(rows):,} rows, none twice", "ids")
                _check_ids(ids, "ids[{}]".format)
            return rows, ids, *form.asked(rows, "rows")

        def answered(*, wait: bool) -> tuple[list[bytes], int] | None:
            found = model.answer(X, form, wait=wait)
            return None if found is None else (_predictions(*found[:2], ids), found[2])

        form, size = model.form, len(request.body)
        rows, ids, X, steps = await self._apart(size, read)
        answer = answered(wait=False) if size <= SMALL and steps <= QUICK else None
        if answer is None:  # it takes its time, or another request has the model: others are answered meanwhile
            answer = await self._beside(lambda: answered(wait=True))
        assert answer is not None
        predictions, version = answer
        if ids is not None:
            predictions = await self._keep(model, ids, rows, predictions)
        return Answer(b'{"predictions":[%s],"version":%d}' % (b",".join(predictions), version))

    async def _keep(self, model: Served, ids: list[str], rows: list[bytes], predictions: list[bytes]) -> list[bytes]:
        """Answers until their labels come; the first ones to these ids count."""
        kept = [(key, row.decode(), one.decode()) for key, row, one in zip(ids, rows, predictions, strict=True)]
        first, _ = await _begin(model, lambda done: Work(done, kept=kept))
        for k, answer in enumerate(first):
            if answer is None:
                raise RefusalError(409, f"the label of {ids[k][:64]!r} was learned already", f"ids[{k}]")
        return [answer.encode() for answer in first]

    async def log(self, request: Request) -> Answer:
        """A page of the log: the examples that make the model, in order."""
        model, size = self.model(request.name), min(request.number("limit", LOG_PAGE, 1), LOG_PAGE)
        last = min(request.number("last", 0), LOG_PAGE)
        return json(await asyncio.to_thread(page_of, model, request.number("after", 0), size, last))

    async def file(self, request: Request) -> Answer:
        """The model file."""
        model = self.model(request.name)
        if not model.has_learned:
            raise RefusalError(409, "the model has learned nothing yet")
        content, version = await _begin(model, lambda done: Work(done, task=model.file))
        headers = [
            (b"x-rosenblatt-seq", str(version).encode()),
            (b"content-disposition", f'attachment; filename="{model.name}.safetensors"'.encode()),
        ]
        return Answer(content, media=b"application/octet-stream", headers=headers)

    async def curve(self, request: Request) -> Answer:
        """The progressive mistakes."""
        model = self.model(request.name)
        points = model.tally.curve(model.learner.version, request.number("points", 200, 2))
        return json(Curve([CurvePoint(*point) for point in points], model.configuration.bound))

    async def rollback(self, request: Request) -> Answer:
        """Back to the model of the examples up to a sequence number."""
        model = self.model(request.name)
        to, last = decoded(_ROLLBACK, request.body).seq, model.learner.version
        if not (least := model.log.begin.seq) <= to <= last:
            raise wrong(f"expected a sequence number from {least} to {last}, found {to}", "seq")
        model.begin_rollback()
        await _begin(model, lambda done: Work(done, task=lambda: model.roll_back(to)))
        return json(about(model))

    async def health(self, _request: Request) -> Answer:
        """The process is there."""
        return json(Status("ok"))

    async def ready(self, _request: Request) -> Answer:
        """Whether all models answer and learn."""
        stopped = {model.name: why for model in [*self.folder.models.values()] if (why := model.learner.stopped)}
        opening = dict[str, str]()
        for name, one in self.folder.unavailable().items():
            (opening if one.failure is None else stopped)[name] = one.why
        status = "stopped" if stopped else "opening" if opening else "ok"
        return json(Status(status, stopped, opening), 200 if status == "ok" else 503)


def about(model: Served) -> About:
    """What is said of a model."""
    classes, learner, configuration = model.run.classes, model.learner, model.configuration
    head = model.log.head
    return About(
        name=model.name,
        kind=configuration.kind,
        parameters=configuration.parameters,
        classes=None if classes is None else classes.tolist(),
        n_features=model.run.n_features or configuration.n_features,
        seq=head.seq,
        hash=head.hash.hex(),
        begins_after=model.log.begin.seq,
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


def _check_ids(ids: Sequence[str | None], place: Callable[[int], str]) -> None:
    for k, key in enumerate(ids):
        if key is not None and not (0 < len(key) <= LONGEST_ID and "\0" not in key):
            raise wrong(f"expected an id of 1 to {LONGEST_ID} characters other than \\0", place(k))


def _begin(model: Served, work: Callable[[Any], Work]) -> asyncio.Future[Any]:
    """Some work for the thread of a model: what it will make of it."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if not future.done():
            future.set_result(result) if error is None else future.set_exception(error)

    def done(result: Any, error: BaseException | None) -> None:
        with suppress(RuntimeError):  # the server has ended meanwhile, and nobody waits any more
            loop.call_soon_threadsafe(settle, result, error)

    model.put(work(done))
    return future


def _predictions(labels: list[Any], decision: Any, ids: list[str] | None) -> list[bytes]:
    """Each as JSON, one after the other: many scores of many rows would stop all other threads."""
    found = []
    for k, label in enumerate(labels):
        key = None if ids is None else ids[k]
        if decision is None:
            one = Prediction(label, id=key)
        elif decision.ndim == 1:
            one = Prediction(label, decision[k].item(), id=key)
        else:
            one = Prediction(label, None, decision[k].tolist(), key)
        found.append(_ENCODE(one))
    return found
