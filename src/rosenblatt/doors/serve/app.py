"""The server as an ASGI application: it finds the route, checks tokens and limits of bodies, and sends refusals as
JSON.

It is plain ASGI, because a prediction is so quick that a framework would cost more time than the prediction itself.
"""

import asyncio
import sys
import time
import traceback
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl

from rosenblatt.doors.serve.answers import Answer, RefusalError, bad, json
from rosenblatt.doors.serve.callers import Callers, Tokens
from rosenblatt.doors.serve.folder import Folder
from rosenblatt.doors.serve.handlers import Handlers, Request
from rosenblatt.doors.serve.log_chain import DamagedLogError
from rosenblatt.doors.serve.routes import find

Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]
_CLOSE = (b"connection", b"close")
MOST_HEADERS = 100


class App:
    """Finds the route of each request, checks who sent it, and sends an answer or a refusal."""

    def __init__(self, folder: Folder, tokens: Tokens, callers: Callers) -> None:
        self.limits, self._tokens, self._callers = folder.limits, tokens, callers
        self._handlers = Handlers(folder)
        self._body_bytes = 0  # bytes of all requests that are being read or answered

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        begun, path, request = time.perf_counter(), "other", None
        try:
            route, name = find(scope["method"], scope["path"])
            path = route.path
            self._check_header(scope)
            headers = dict(scope["headers"])
            self._callers.check(headers, public=route.scope is None)
            self._tokens.check(route.scope, headers.get(b"authorization", b""))
            media = headers.get(b"content-type", b"").decode("latin-1").partition(";")[0].strip().lower()
            if route.media:
                route.check_media(media)
            request = Request(
                name,
                await self._body(headers, receive) if route.media else b"",
                media,
                dict(parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True))
                if scope["query_string"]
                else {},
            )
            answer = await route.handler(self._handlers, request)
        except RefusalError as error:
            answer = _refusal_answer(error)
        except DamagedLogError as error:
            answer = _refusal_answer(RefusalError(500, str(error)))
        except Exception:  # an error of the server: print it to stderr, and keep serving
            traceback.print_exc(file=sys.stderr)
            answer = _refusal_answer(RefusalError(500, "the server has failed, see what it says on stderr"))
        finally:
            self._body_bytes -= 0 if request is None else len(request.body)
        self._handlers.meter.add(path, answer.status, time.perf_counter() - begun)
        length = str(len(answer.body)).encode()
        lines = [(b"content-type", answer.media), (b"content-length", length), *answer.headers]
        await send({"type": "http.response.start", "status": answer.status, "headers": lines})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else answer.body})

    def _check_header(self, scope: dict[str, Any]) -> None:
        """Check that the header is complete. `Connection` ends a header that has no end."""
        lines = scope["headers"]
        size = (
            len(scope["raw_path"]) + len(scope["query_string"]) + sum(len(name) + len(value) for name, value in lines)
        )
        if size > self.limits.header or len(lines) > MOST_HEADERS:
            limits = f"at most {self.limits.header:,} bytes and {MOST_HEADERS} lines"
            raise RefusalError(431, f"expected headers of {limits}, found {size:,} and {len(lines):,}", "headers")

    async def _body(self, headers: dict[bytes, bytes], receive: Receive) -> bytes:
        most, parts, size, whole = self.limits.body, list[bytes](), 0, False
        too_large = RefusalError(413, f"expected a body of at most {most:,} bytes")
        if int(headers.get(b"content-length", b"0")) > most:
            raise too_large
        try:
            async with asyncio.timeout(self.limits.seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise bad("the request has ended before its body")
                    parts.append(message.get("body", b""))
                    size += len(parts[-1])
                    self._body_bytes += len(parts[-1])
                    if size > most:
                        raise too_large
                    if self._body_bytes > self.limits.bodies:
                        raise RefusalError(429, "too many bytes are being read at once", retry_after=1)
                    if not message.get("more_body"):
                        whole = True
                        return parts[0] if len(parts) == 1 else b"".join(parts)
        except TimeoutError:
            raise RefusalError(408, f"expected the whole request within {self.limits.seconds:g} seconds") from None
        finally:
            if not whole:
                self._body_bytes -= size


def _refusal_answer(error: RefusalError) -> Answer:
    """A refusal as JSON. It closes the connection if the body was not read to its end."""
    answer = json(error.as_json(), error.status)
    if error.retry_after is not None:
        answer.headers = [(b"retry-after", str(error.retry_after).encode())]
    if error.status == 401:
        answer.headers = [(b"www-authenticate", b"Bearer")]
    if error.allow is not None:
        answer.headers = [(b"allow", error.allow.encode())]
    if error.status in (408, 413, 431) or error.message.startswith("too many bytes"):
        answer.headers = [_CLOSE]
    return answer
