"""The files of the page at `/`. They are part of the package and hold no data: the page asks as any client does."""

from functools import cache
from importlib.resources import files

from rosenblatt.doors.serve.answer import Answer
from rosenblatt.doors.serve.refusal import RefusalError

_MEDIA = {
    "html": b"text/html; charset=utf-8",
    "js": b"text/javascript; charset=utf-8",
    "css": b"text/css; charset=utf-8",
    "svg": b"image/svg+xml",
}
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
]


@cache
def page(name: str) -> Answer:
    """A file of the page, by its name: one of those that are there, and no other path."""
    folder = files("rosenblatt.doors.serve") / "page"
    known = {one.name: one for one in folder.iterdir()} if folder.is_dir() else {}
    media = _MEDIA.get(name.rpartition(".")[2])
    if name not in known or media is None:
        raise RefusalError(404, "there is nothing at this path")
    return Answer(known[name].read_bytes(), media=media, headers=_HEADERS)
