"""What each path does: the model of a name learns, predicts, shows its log, gives its file, rolls back."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import numpy as np

from rosenblatt.serve.answer import Answer, json
from rosenblatt.serve.configuration import Configuration
from rosenblatt.serve.folder import Folder
from rosenblatt.serve.form import Asked
from rosenblatt.serve.log import read_page, read_rollbacks
from rosenblatt.serve.recover import undone
from rosenblatt.serve.refusal import RefusalError, bad, wrong
from rosenblatt.serve.served import Served, Work

Query = dict[str, str]
Handler = Callable[[str, bytes, Query, dict[bytes, bytes]], Awaitable[Answer]]
Raw = msgspec.Raw
LOG_PAGE = 1000


class Example(msgspec.Struct, forbid_unknown_fields=True):
    """An example of a `learn` request."""

    x: Raw
    y: Raw
    id: str | None = None


class Learn(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `learn`."""

    examples: list[Example]


class Predict(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `predict`; with ids, labels may come later."""

    rows: list[Raw]
    ids: list[str] | None = None


class Rollback(msgspec.Struct, forbid_unknown_fields=True):
    """The body of `rollback`."""

    seq: int


class OneLearned(msgspec.Struct, omit_defaults=True):
    """What became of an example."""

    seq: int
    predicted: Raw
    mistake: bool
    id: str | None = None
    repeated: bool = False
    learned: bool = True


class Prediction(msgspec.Struct, omit_defaults=True):
    """A label, and the score behind it, or that of each class."""

    label: Any
    score: float | None = None
    scores: list[float] | None = None
    id: str | None = None


_LEARN, _PREDICT, _ROLLBACK, _PUT = (
    msgspec.json.Decoder(body) for body in (Learn, Predict, Rollback, Configuration)
)


class Handlers:
    """Those of one server."""

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._of_model: dict[tuple[str, str], Handler] = {
            ("PUT", ""): self.put,
            ("GET", ""): self.get,
            ("POST", "learn"): self.learn,
            ("POST", "predict"): self.predict,
            ("GET", "log"): self.log,
            ("GET", "file"): self.file,
            ("GET", "curve"): self.curve,
            ("POST", "rollback"): self.rollback,
        }
        self._others: dict[tuple[str, str], Handler] = {
            ("GET", "/healthz"): self.health,
            ("GET", "/readyz"): self.ready,
            ("GET", "/v1/models"): self.models,
        }

    def find(self, method: str, path: str) -> tuple[Handler, str]:
        """Who handles a request, and the name of the model that it is for."""
        table, wanted, name = self._others, path, ""
        if path.startswith("/v1/models/"):
            table = self._of_model
            name, _, wanted = path.removeprefix("/v1/models/").partition("/")
        found = table.get((method, wanted))
        if found is not None:
            return found, name
        allowed = [other for other, what in table if what == wanted]
        if allowed:
            raise RefusalError(405, f"expected {' or '.join(allowed)}, found {method}")
        raise RefusalError(404, "there is nothing at this path")

    def model(self, name: str) -> Served:
        """The model of this name."""
        found = self.folder.models.get(name)
        if found is None:
            raise RefusalError(404, f"there is no model {name[:64]!r}")
        return found

    async def put(self, name: str, body: bytes, _query: Query, _headers: Any) -> Answer:
        """Make a model."""
        configuration = _decoded(_PUT, body).checked()
        known = self.folder.models.get(name)
        if known is None:
            known = await asyncio.to_thread(self.folder.make, name, configuration)
            return json(about(known), 201)
        if known.configuration != configuration:
            raise RefusalError(409, f"model {name!r} is there already, and was made otherwise")
        return json(about(known))

    async def get(self, name: str, _body: bytes, _query: Query, _headers: Any) -> Answer:
        """What is known of a model."""
        return json(about(self.model(name)))

    async def models(self, _name: str, _body: bytes, _query: Query, _headers: Any) -> Answer:
        """All of them."""
        return json({"models": [about(model) for model in self.folder.models.values()]})

    async def learn(self, name: str, body: bytes, _query: Query, _headers: Any) -> Answer:
        """Learn examples; the answer comes when they are on the disk and learned."""
        model = self.model(name)
        found: Learn = _decoded(_LEARN, body)
        asked = [Asked(one.id, bytes(one.x), bytes(one.y)) for one in found.examples]
        if not 0 < len(asked) <= model.limits.rows:
            raise wrong(f"expected 1 to {model.limits.rows:,} examples, found {len(asked):,}", "examples")
        batch = model.form.examples(asked)
        learned, version = await _done(model, lambda done: Work(done, batch=batch))
        examples = [
            OneLearned(one.seq, Raw(one.predicted.encode()), one.mistake, one.id, one.repeated, one.learned)
            for one in learned
        ]
        return json({"examples": examples, "version": version})

    async def predict(self, name: str, body: bytes, _query: Query, _headers: Any) -> Answer:
        """Answer rows with the model as it is."""
        model = self.model(name)
        found: Predict = _decoded(_PREDICT, body)
        if not 0 < len(found.rows) <= model.limits.rows:
            raise wrong(f"expected 1 to {model.limits.rows:,} rows, found {len(found.rows):,}", "rows")
        if model.version == 0 and not model.configuration.file:
            raise RefusalError(409, "the model has learned nothing yet")
        X = model.form.rows.asked([bytes(row) for row in found.rows], "rows")
        labels, decision, version = model.answer(X)
        return json({"predictions": _predictions(labels, decision), "version": version})

    async def log(self, name: str, _body: bytes, query: Query, _headers: Any) -> Answer:
        """A page of the log: the examples that make the model, in order."""
        model = self.model(name)
        after, size = _number(query, "after", 0), min(_number(query, "limit", LOG_PAGE), LOG_PAGE)
        return json(await asyncio.to_thread(_page, model, after, size))

    async def file(self, name: str, _body: bytes, _query: Query, _headers: Any) -> Answer:
        """The model file."""
        model = self.model(name)
        if model.version == 0 and not model.configuration.file:
            raise RefusalError(409, "the model has learned nothing yet")
        content, version = await _done(model, lambda done: Work(done, task=model.file))
        headers = [
            (b"x-rosenblatt-seq", str(version).encode()),
            (b"content-disposition", f'attachment; filename="{name}.safetensors"'.encode()),
        ]
        return Answer(content, media=b"application/octet-stream", headers=headers)

    async def curve(self, name: str, _body: bytes, query: Query, _headers: Any) -> Answer:
        """The progressive mistakes."""
        model = self.model(name)
        points = model.tally.curve(model.version, _number(query, "points", 200))
        said = [{"seq": seq, "mistakes": mistakes} for seq, mistakes in points]
        return json({"points": said, "bound": model.configuration.bound})

    async def rollback(self, name: str, body: bytes, _query: Query, _headers: Any) -> Answer:
        """Back to the model of the examples up to a sequence number."""
        model = self.model(name)
        to = _decoded(_ROLLBACK, body).seq
        if not 0 <= to <= model.seq:
            raise wrong(f"expected a sequence number from 0 to {model.seq}, found {to}", "seq")
        await _done(model, lambda done: Work(done, task=lambda: model.roll_back(to)))
        return json(about(model))

    async def health(self, _name: str, _body: bytes, _query: Query, _headers: Any) -> Answer:
        """The process is there."""
        return json({"status": "ok"})

    async def ready(self, _name: str, _body: bytes, _query: Query, _headers: Any) -> Answer:
        """Whether all models learn."""
        stopped = {model.name: model.stopped for model in self.folder.models.values() if model.stopped}
        return json({"status": "stopped" if stopped else "ok", "stopped": stopped}, 503 if stopped else 200)


def about(model: Served) -> dict[str, Any]:
    """What is said of a model."""
    classes = model.run.classes
    return {
        "name": model.name,
        "kind": model.configuration.kind,
        "parameters": model.configuration.parameters,
        "classes": None if classes is None else classes.tolist(),
        "n_features": model.run.n_features or model.configuration.n_features,
        "seq": model.seq,
        "version": model.version,
        "examples": model.tally.examples,
        "mistakes": model.tally.mistakes,
        "bound": model.configuration.bound,
        "drift": model.tally.drift,
        "snapshot_seq": model.snapshots.seq,
        "queue": model.waiting,
        "stopped": model.stopped,
    }


def _page(model: Served, after: int, size: int) -> dict[str, Any]:
    unsaved, found = dict(model.unsaved), list[dict[str, Any]]()
    last, db = model.version, model.log.reader()
    try:
        rollbacks = read_rollbacks(db, model.log.path)
        while len(found) < size:
            page = read_page(db, model.log.path, after, last, size - len(found))
            if not page:
                break
            for entry in page:
                if not undone(entry.seq, rollbacks):
                    predicted = entry.predicted or unsaved.get(entry.seq, "null")
                    x, y, taken = (Raw(text.encode()) for text in (entry.x, entry.y, predicted))
                    found.append({"seq": entry.seq, "id": entry.id, "x": x, "y": y, "predicted": taken})
            after = page[-1].seq
    finally:
        db.close()
    return {"examples": found, "last": last}


async def _done(model: Served, work: Callable[[Any], Work]) -> Any:
    """What the thread of a model makes of some work."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if not future.done():
            future.set_result(result) if error is None else future.set_exception(error)

    model.put(work(lambda result, error: loop.call_soon_threadsafe(settle, result, error)))
    return await future


def _predictions(labels: list[Any], decision: Any) -> list[Prediction]:
    if decision is None:
        return [Prediction(label) for label in labels]
    if np.ndim(decision) == 1:
        return [Prediction(label, score) for label, score in zip(labels, decision.tolist(), strict=True)]
    return [Prediction(label, None, scores) for label, scores in zip(labels, decision.tolist(), strict=True)]


def _decoded(decoder: Any, body: bytes) -> Any:
    try:
        return decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        text, _, at = str(error).partition(" - at `$")
        place = at.rstrip("`").lstrip(".") or None
        raise bad(f"expected JSON as the reference has it: {text[:1].lower()}{text[1:]}", place) from None


def _number(query: Query, name: str, default: int) -> int:
    text = query.get(name, str(default))
    if not (text.isascii() and text.isdecimal() and len(text) < 19):
        raise bad(f"expected a whole number, found {text[:40]!r}", name)
    return int(text)
