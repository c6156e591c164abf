"""The server as an ASGI application: which request is for whom, bodies within their limits, refusals as JSON.

Plain ASGI, without a framework: a prediction is so quick that one would cost more than the prediction itself.
"""

import asyncio
import sys
import traceback
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl

import msgspec

from rosenblatt.serve.answer import Answer
from rosenblatt.serve.folder import Folder
from rosenblatt.serve.handlers import Handlers
from rosenblatt.serve.refusal import RefusalError, bad

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


class App:
    """Requests to answers."""

    def __init__(self, folder: Folder) -> None:
        self.folder, self.limits = folder, folder.limits
        self.handlers = Handlers(folder)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            return
        try:
            answer = await self._answer(scope, receive)
        except RefusalError as error:
            retry = [] if error.retry_after is None else [(b"retry-after", str(error.retry_after).encode())]
            answer = Answer(msgspec.json.encode(error.as_json()), error.status, headers=retry)
        except Exception:  # a fault of ours: it is said, and the server goes on
            traceback.print_exc(file=sys.stderr)
            answer = Answer(b'{"error":"the server has failed, see what it says","place":null}', 500)
        length = str(len(answer.body)).encode()
        headers = [(b"content-type", answer.media), (b"content-length", length), *answer.headers]
        await send({"type": "http.response.start", "status": answer.status, "headers": headers})
        await send({"type": "http.response.body", "body": answer.body})

    async def _answer(self, scope: dict[str, Any], receive: Receive) -> Answer:
        path, method = scope["path"], scope["method"]
        handler, name = self.handlers.find(method, path)
        body = await self._body(scope, receive) if method in ("POST", "PUT") else b""
        query = dict(parse_qsl(scope["query_string"].decode("latin-1"))) if scope["query_string"] else {}
        return await handler(name, body, query, dict(scope["headers"]))

    async def _body(self, scope: dict[str, Any], receive: Receive) -> bytes:
        parts, size = [], 0
        try:
            async with asyncio.timeout(self.limits.seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise bad("the request has ended before its body")
                    part = message.get("body", b"")
                    size += len(part)
                    if size > self.limits.body:
                        said = f"expected a body of at most {self.limits.body:,} bytes"
                        raise RefusalError(413, said)
                    if not message.get("more_body") and not parts:
                        return part
                    parts.append(part)
                    if not message.get("more_body"):
                        return b"".join(parts)
        except TimeoutError:
            raise RefusalError(408, f"expected the whole request within {self.limits.seconds:g} seconds") from None
