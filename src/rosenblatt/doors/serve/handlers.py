"""The handler of each path: a model learns, predicts, shows its log, gives its file, or rolls back.

Slow work runs in other threads, so that the event loop can answer others. Only two large bodies are read at a time,
because each takes several times its size while it is read.
"""

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, TypeVar

import msgspec

from rosenblatt.doors.serve.answers import Answer, RefusalError, bad, json, wrong
from rosenblatt.doors.serve.bodies import Body
from rosenblatt.doors.serve.configuration import Configuration
from rosenblatt.doors.serve.folder import Folder
from rosenblatt.doors.serve.form import Asked, Batch
from rosenblatt.doors.serve.learner import ExamplesToLearn, PredictionsToKeep, Task, Work
from rosenblatt.doors.serve.log import Log
from rosenblatt.doors.serve.log_chain import LogReading, read_page, read_rollbacks, undone
from rosenblatt.doors.serve.metrics import Metrics
from rosenblatt.doors.serve.requests import (
    JSON,
    About,
    Curve,
    CurvePoint,
    LearnAnswer,
    LogEntry,
    LogPage,
    Models,
    PredictedLabel,
    Raw,
    Rollback,
    Status,
    TopAnswer,
    TopLabel,
    WhyAnswer,
    WhyLabel,
    decode_body,
)
from rosenblatt.doors.serve.served import ModelAnswer, Served
from rosenblatt.members.linear.text.columns import TextRows
from rosenblatt.members.linear.text.model import TextModel
from rosenblatt.services.files.encoding.reasons import reasons_of

T = TypeVar("T")
_ROLLBACK, _PUT = map(msgspec.json.Decoder, (Rollback, Configuration))
_ENCODE = msgspec.json.Encoder().encode
LOG_PAGE = 1000
LONGEST_ID = 256
SMALL = 8 << 10  # bytes that are parsed in the event loop: another thread would cost more
QUICK = 10**6  # steps that are made in the event loop
EXPLAINED = 1000  # steps for a byte of a text that is explained
LARGEST_CONFIGURATION = 1 << 20  # bytes
LARGE_BODIES = 2  # large bodies that are read at a time
PAGE_BYTES = 8 << 20  # about the size of a page, which ends with the example that exceeds it
_PAGE_MEDIA = {
    "html": b"text/html; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "css": b"text/css; charset=utf-8",
    "svg": b"image/svg+xml",
}
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_PAGE_HEADERS = [
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
]


class Request(NamedTuple):
    """What a handler gets: the name of the model, and the request's content."""

    name: str
    body: bytes
    media: str
    query: dict[str, str]

    def number(self, name: str, default: int, least: int = 0) -> int:
        """A whole number of the query, or the default. Raise a 400 if it is no whole number, or too small."""
        text = self.query.get(name, str(default))
        if not (text.isascii() and text.isdecimal() and len(text) < 19):
            raise bad(f"expected a whole number, found {text[:40]!r}", name)
        if int(text) < least:
            raise bad(f"expected a whole number from {least} on, found {text}", name)
        return int(text)


class Handlers:
    """A method for each route of the server."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.meter = folder, Metrics()
        self._readers = ThreadPoolExecutor(LARGE_BODIES, "reader")

    async def _apart(self, size: int, work: Callable[[], T]) -> T:
        """Run work on this number of bytes: in another thread if they are many, so that the loop can answer others."""
        return work() if size <= SMALL else await self._beside(work)

    async def _beside(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._readers, work)

    def model(self, name: str) -> Served:
        model = self.folder.models.get(name)
        if model is None:
            if name in self.folder.openings:
                raise self.folder.openings[name].refusal()
            raise RefusalError(404, f"there is no model {name[:64]!r}")
        return model

    async def page(self, request: Request) -> Answer:
        """The page in a browser."""
        return page_file(request.name or "index.html")

    async def metrics(self, _request: Request) -> Answer:
        """Measurements, in the format of Prometheus."""
        text = self.meter.text(self.folder.models.values(), self.folder.unavailable().values())
        return Answer(text, media=b"text/plain; version=0.0.4; charset=utf-8")

    async def put(self, request: Request) -> Answer:
        """Make a model, of a kind and its parameters, or from a model file."""
        base = None
        if request.media == JSON:
            if len(request.body) > LARGEST_CONFIGURATION:
                raise RefusalError(413, f"expected a configuration of at most {LARGEST_CONFIGURATION:,} bytes")
            configuration = decode_body(_PUT, request.body)
            if configuration.file:
                raise wrong("expected a model file as the body, or no such entry", "file")
            configuration = configuration.with_defaults()
        else:
            base = request.body
            configuration = await asyncio.to_thread(Configuration.of_file, base)
        return await asyncio.to_thread(self._make, request.name, configuration, base)

    def _make(self, name: str, configuration: Configuration, base: bytes | None) -> Answer:
        configuration.check(self.folder.limits)
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
        """The state of a model."""
        return json(about(self.model(request.name)))

    async def models(self, _request: Request) -> Answer:
        """The state of all models."""
        models = [model for _, model in sorted(self.folder.models.items())]
        unavailable = {name: opening.why for name, opening in self.folder.unavailable().items()}
        return json(Models([about(model) for model in models], unavailable))

    async def learn(self, request: Request) -> Answer:
        """Learn examples; the answer comes when they are on the disk and learned."""
        model = self.model(request.name)
        return await self._learn(model, len(request.body), _body(model, request).examples, "examples")

    async def feedback(self, request: Request) -> Answer:
        """Learn labels that come after their predictions, by the ids of the predictions."""
        model = self.model(request.name)
        labels = await self._apart(len(request.body), _body(model, request).feedback)
        rows = await asyncio.to_thread(waiting_rows, model.log, [label.id for label in labels], model.limits.body)
        for k, label in enumerate(labels):
            if label.id not in rows:
                raise RefusalError(404, f"there is no prediction {label.id[:64]!r} that waits", f"feedback[{k}].id")
        examples = [Asked(label.id, rows[label.id], bytes(label.y)) for label in labels]
        return await self._learn(model, sum(len(example.x) for example in examples), lambda: examples, "feedback")

    async def _learn(self, model: Served, size: int, read: Callable[[], list[Asked]], place: str) -> Answer:
        form = model.state.form

        def batch_of_request() -> Batch:
            examples = read()
            _check_ids([example.id for example in examples], lambda k: f"{place}[{k}].id")
            return form.examples(examples, place)

        async with form.turn:  # examples are learned in the order in which they are checked
            batch = await self._apart(size, batch_of_request)
            if model.state.form is not form:
                raise RefusalError(429, "the model was rolled back meanwhile", retry_after=1)
            result = _begin(model, lambda done: ExamplesToLearn(done, batch))
        learned, version = await result
        return json(LearnAnswer(learned, version))

    async def predict(self, request: Request) -> Answer:
        """Answer rows, without changing the model; with ids, keep the rows until their labels come."""
        model = self.model(request.name)
        body = _body(model, request)
        model.check_learned()

        def read() -> tuple[list[bytes], list[str] | None, Any, int]:
            rows, ids = body.rows()
            if ids is not None:
                if len(ids) != len(rows) or len(set(ids)) < len(ids):
                    raise wrong(f"expected an id for each of the {len(rows):,} rows, none twice", "ids")
                _check_ids(ids, "ids[{}]".format)
            return rows, ids, *form.to_answer(rows, "rows")

        def find_answer(*, wait: bool) -> tuple[list[bytes], int] | None:
            answer = model.answer(X, form, wait=wait)
            return None if answer is None else (_predictions(answer, ids), answer.version)

        form, size = model.state.form, len(request.body)
        rows, ids, X, steps = await self._apart(size, read)
        answer = find_answer(wait=False) if size <= SMALL and steps <= QUICK else None
        if answer is None:  # it is slow, or another request has the model: answer others meanwhile
            answer = await self._beside(lambda: find_answer(wait=True))
        assert answer is not None
        predictions, version = answer
        if ids is not None:
            predictions = await self._keep(model, ids, rows, predictions)
        return Answer(b'{"predictions":[%s],"version":%d}' % (b",".join(predictions), version))

    async def top(self, request: Request) -> Answer:
        """The best labels of texts, without changing the model."""
        model = self.model(request.name)

        def answer() -> Answer:
            rows, k = _body(model, request).top()
            small, X, version = _for_texts(model, rows)
            best = [[TopLabel(*label) for label in of_row] for of_row in small.top(X, k)]
            return json(TopAnswer(best, version))

        return await self._beside(answer)

    async def explain(self, request: Request) -> Answer:
        """The words that decide the labels of texts, without changing the model."""
        model = self.model(request.name)

        def answer() -> Answer:
            rows, label, k = _body(model, request).explain()
            small, X, version = _for_texts(model, rows)
            most = model.limits.steps // EXPLAINED
            if (size := sum(map(len, rows))) > most:
                raise wrong(f"expected at most {most:,} bytes of texts to explain (--steps), found {size:,}", "rows")
            if label is not None and label not in small.classes.tolist():
                raise wrong(f"expected a label of the model, found {label!r:.80}", "label")
            labels = small.predict(X).tolist() if label is None else [label] * len(X)
            encoding = model.state.form.encoding
            pairs = enumerate(labels)
            why = [WhyLabel(y, reasons_of(small, encoding, X[n : n + 1], y, k)[1]) for n, y in pairs]
            return json(WhyAnswer(why, version))

        return await self._beside(answer)

    async def _keep(self, model: Served, ids: list[str], rows: list[bytes], predictions: list[bytes]) -> list[bytes]:
        """Keep answers until their labels come. If an id has an answer already, the first answer counts."""
        waiting = [(key, row.decode(), text.decode()) for key, row, text in zip(ids, rows, predictions, strict=True)]
        first, _ = await _begin(model, lambda done: PredictionsToKeep(done, waiting))
        for k, answer in enumerate(first):
            if answer is None:
                raise RefusalError(409, f"the label of {ids[k][:64]!r} was learned already", f"ids[{k}]")
        return [answer.encode() for answer in first]

    async def log(self, request: Request) -> Answer:
        """A page of the log: the examples of the model, in order."""
        model, size = self.model(request.name), min(request.number("limit", LOG_PAGE, 1), LOG_PAGE)
        last = min(request.number("last", 0), LOG_PAGE)
        return json(await asyncio.to_thread(page_of, model, request.number("after", 0), size, last))

    async def file(self, request: Request) -> Answer:
        """The model file."""
        model = self.model(request.name)
        model.check_learned()
        content, version = await _begin(model, lambda done: Task(done, model.file))
        headers = [
            (b"x-rosenblatt-seq", str(version).encode()),
            (b"content-disposition", f'attachment; filename="{model.name}.safetensors"'.encode()),
        ]
        return Answer(content, media=b"application/octet-stream", headers=headers)

    async def curve(self, request: Request) -> Answer:
        """The progressive mistakes."""
        model = self.model(request.name)
        points = model.state.tally.curve(model.learner.version, request.number("points", 200, 2))
        return json(Curve([CurvePoint(*point) for point in points], model.configuration.bound))

    async def rollback(self, request: Request) -> Answer:
        """Return to the model of the examples up to a sequence number."""
        model = self.model(request.name)
        to, last = decode_body(_ROLLBACK, request.body).seq, model.learner.version
        if not (least := model.log.begin.seq) <= to <= last:
            raise wrong(f"expected a sequence number from {least} to {last}, found {to}", "seq")
        model.begin_rollback()
        await _begin(model, lambda done: Task(done, lambda: model.roll_back(to)))
        return json(about(model))

    async def health(self, _request: Request) -> Answer:
        """The process runs."""
        return json(Status("ok"))

    async def ready(self, _request: Request) -> Answer:
        """Whether all models answer and learn."""
        stopped = {model.name: why for model in [*self.folder.models.values()] if (why := model.learner.stopped)}
        opening = dict[str, str]()
        for name, model_opening in self.folder.unavailable().items():
            (opening if model_opening.failure is None else stopped)[name] = model_opening.why
        status = "stopped" if stopped else "opening" if opening else "ok"
        return json(Status(status, stopped, opening), 200 if status == "ok" else 503)


def about(model: Served) -> About:
    run, tally, learner, configuration = model.state.run, model.state.tally, model.learner, model.configuration
    classes, head = run.classes, model.log.head
    return About(
        name=model.name,
        kind=configuration.kind,
        parameters=configuration.parameters,
        classes=None if classes is None else classes.tolist(),
        n_features=run.n_features or configuration.n_features,
        seq=head.seq,
        hash=head.hash.hex(),
        begins_after=model.log.begin.seq,
        version=learner.version,
        examples=tally.examples,
        mistakes=tally.mistakes,
        bound=configuration.bound,
        drift=tally.drift,
        snapshot_seq=model.snapshots.seq,
        queue=model.queue.size,
        stopped=learner.stopped,
    )


def _for_texts(model: Served, rows: list[bytes]) -> tuple[TextModel, TextRows, int]:
    """A model that answers these rows as the served one does, the rows, and its version."""
    if (kind := model.configuration.kind) != "TextClassifier":
        raise wrong(f"expected a model of texts, found a {kind}")
    model.check_learned()
    form = model.state.form
    X, _ = form.to_answer(rows, "rows")
    small, version = model.model_for(X, form)
    return small, X, version


def _body(model: Served, request: Request) -> Body:
    return Body(request.body, request.media, request.query, model.limits, model.state.form)


def _check_ids(ids: Sequence[str | None], place: Callable[[int], str]) -> None:
    for k, key in enumerate(ids):
        if key is not None and not (0 < len(key) <= LONGEST_ID and "\0" not in key):
            raise wrong(f"expected an id of 1 to {LONGEST_ID} characters other than \\0", place(k))


def _begin(model: Served, work: Callable[[Any], Work]) -> asyncio.Future[Any]:
    """Give work to the thread of a model; the future gets its result."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if not future.done():
            future.set_result(result) if error is None else future.set_exception(error)

    def tell(result: Any, error: BaseException | None) -> None:
        with suppress(RuntimeError):  # the server has ended, so nobody waits for the result
            loop.call_soon_threadsafe(settle, result, error)

    model.put(work(tell))
    return future


def _predictions(answer: ModelAnswer, ids: list[str] | None) -> list[bytes]:
    """Each prediction as JSON, one by one, because encoding all in one call would stop all other threads."""
    texts, decision = [], answer.decision
    p = None if answer.calibration is None else answer.calibration.probabilities(decision)
    for k, label in enumerate(answer.labels):
        key = None if ids is None else ids[k]
        if decision is None:
            prediction = PredictedLabel(label, id=key)
        elif decision.ndim == 1:
            prediction = PredictedLabel(label, decision[k].item(), id=key)
        else:
            prediction = PredictedLabel(label, None, decision[k].tolist(), id=key)
        if p is not None:
            prediction.probabilities = p[k].tolist()
        texts.append(_ENCODE(prediction))
    return texts


def page_of(model: Served, after: int, size: int, newest: int) -> LogPage:
    """Examples after a sequence number, or the newest ones, without examples that were rolled back.

    The page has fewer than `size` if they are large, but at least one if there is one.
    """
    last, unsaved, entries, total = model.learner.answered, dict(model.state.unsaved), list[LogEntry](), 0
    with model.log.reader() as db:
        rollbacks = read_rollbacks(db, model.log.path)
        if newest:
            after, size = max(after, last - newest - sum(at - to for at, to in rollbacks)), newest
        while (len(entries) < size and total < PAGE_BYTES) or newest:
            page = read_page(db, model.log.path, after, last, size, PAGE_BYTES - (0 if newest else total))
            for entry in page.entries:
                if not undone(entry.seq, rollbacks):
                    predicted = unsaved.get(entry.seq, "null") if entry.predicted is None else entry.predicted
                    x, y, answer = (Raw(text.encode()) for text in (entry.x, entry.y, predicted))
                    entries.append(LogEntry(entry.seq, entry.id, x, y, answer))
                    total += _size(entries[-1])
            entries = entries[-newest:] if newest else entries[:size]
            while newest and len(entries) > 1 and (total := sum(map(_size, entries))) > PAGE_BYTES:
                del entries[0]
            if page.over:
                break
            after = page.last
    return LogPage(entries, last)


def _size(entry: LogEntry) -> int:
    return len(memoryview(entry.x)) + len(memoryview(entry.y))


def waiting_rows(log: Log, ids: list[str], most: int) -> dict[str, bytes]:
    """The x of predictions that wait for their label, or that have one already, because the client may try again.

    Rows may have been sent one by one: a 422 if several have more than `most` bytes together.
    """
    query = (
        "SELECT x FROM waiting WHERE id = ?1 UNION ALL SELECT x FROM ids JOIN examples USING (seq) WHERE ids.id = ?1"
    )
    rows, total = dict[str, bytes](), 0
    with log.reader() as db, LogReading(log.path):
        for k, key in enumerate(ids):
            row = db.execute(query, (key,)).fetchone()
            if row is None:
                continue
            rows[key] = row[0].encode()
            total += len(rows[key])
            if total > most and len(rows) > 1:
                why = f"expected rows of at most {most:,} bytes in all (--body), found more: send less at once"
                raise wrong(why, f"feedback[{k}].id")
    return rows


@cache
def page_file(name: str) -> Answer:
    """A file of the page by its name. The files are in the package; no other path is read."""
    folder = files("rosenblatt.doors.serve") / "page"
    known = {file.name: file for file in folder.iterdir()} if folder.is_dir() else {}
    media = _PAGE_MEDIA.get(name.rpartition(".")[2])
    if name not in known or media is None:
        raise RefusalError(404, "there is nothing at this path")
    return Answer(known[name].read_bytes(), media=media, headers=_PAGE_HEADERS)
