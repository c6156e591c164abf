"""The text that the sentences of a treebank come from: the text itself, where its tokens are, and their words.

The text is that of the tokens, with what stands between them (SpaceAfter, SpacesAfter); an empty line comes before a
new document or paragraph. Where a sentence has its text in a comment (`# text`), both must agree.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from rosenblatt.base.arrays import Array
from rosenblatt.base.exceptions import DataFileError
from rosenblatt.services.files.conll import Sentences

ESCAPES = {"s": " ", "t": "\t", "n": "\n", "r": "\r", "v": "\v", "f": "\f", "p": "|", "\\": "\\"}


@dataclass
class RawText:
    """A text, its tokens (text[begin:end] in bytes), the token that each sentence begins with, and the words of tokens.

    `words` has the words of a token that is not one word as it stands.
    """

    text: bytes
    begin: Array
    end: Array
    starts: Array
    words: dict[int, list[str]] = field(default_factory=dict)


def unescape(text: str) -> str:
    r"""White space as it stood in a text; some treebanks write it by its number.

    >>> unescape(r"\s\n\u00A0")
    ' \n\xa0'
    """
    return re.sub(r"\\(?:u([0-9A-Fa-f]{4})|(.))", _unescape_one, text)


def _unescape_one(match: re.Match[str]) -> str:
    return chr(int(match[1], 16)) if match[1] else ESCAPES.get(match[2], match[0])


@dataclass
class _Token:
    form: str
    misc: dict[str, str]
    words: list[str]


@dataclass
class _Surface:
    """The tokens of a sentence, the line of its `# text`, and whether a paragraph begins with it."""

    tokens: list[_Token] = field(default_factory=list)
    comment: str | None = None
    line: int = 0
    new_paragraph: bool = False


def raw_text_of(sentences: Sentences, name: str) -> RawText:
    """The text of sentences in CoNLL-U. A `DataFileError` names the place of a `# text` that says something else."""
    pieces, size, behind = list[bytes](), 0, b""
    begin, end, starts, words = list[int](), list[int](), [0], dict[int, list[str]]()
    for surface in _surfaces(sentences.text):
        parts = [_texts_of(token) for token in surface.tokens]
        _check_comment(surface, parts, name)
        if surface.new_paragraph and begin and behind.count(b"\n") < 2:
            behind = b"\n\n"
        for token, (text, after) in zip(surface.tokens, parts, strict=True):
            encoded = text.encode()
            begin.append(size + len(behind))
            end.append(begin[-1] + len(encoded))
            pieces += behind, encoded
            size, behind = end[-1], after.encode()
            if token.words != [token.form]:
                words[len(begin) - 1] = token.words
        starts.append(len(begin))
    whole = b"".join([*pieces, behind])
    return RawText(whole, np.array(begin), np.array(end), np.array(starts), words)


def _texts_of(token: _Token) -> tuple[str, str]:
    """The text of a token, and what stands behind it."""
    text = unescape(token.misc["SpacesInToken"]) if "SpacesInToken" in token.misc else token.form
    if "SpacesAfter" in token.misc:
        return text, unescape(token.misc["SpacesAfter"])
    return text, "" if token.misc.get("SpaceAfter") == "No" else " "


def _check_comment(surface: _Surface, parts: list[tuple[str, str]], name: str) -> None:
    """The tokens and the comment say the same, whatever white space there is."""
    if surface.comment is None:
        return
    text = " ".join("".join(form + behind for form, behind in parts).split())
    comment = " ".join(surface.comment.split())
    if text != comment:
        k = next((k for k, pair in enumerate(zip(text, comment, strict=False)) if pair[0] != pair[1]), len(comment))
        expected = f"the text of the tokens, {_excerpt(text, k)}"
        raise DataFileError(name, surface.line, len(b"# text = ") + 1, expected, _excerpt(comment, k))


def _excerpt(text: str, place: int) -> str:
    """What stands around a place of a text."""
    return repr(text[max(place - 20, 0) : place + 20])


def _surfaces(text: bytes) -> Iterator[_Surface]:
    """The sentences of a CoNLL-U text."""
    surface, inside = _Surface(), 0  # the last word that is a part of the token before
    for number, line in enumerate(text.decode("utf-8-sig").split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line.strip():
            if surface.tokens:
                yield surface
                surface, inside = _Surface(), 0
        elif line.startswith("#"):
            key, is_given, value = line[1:].partition("=")
            if key.strip() == "text" and is_given:
                surface.comment, surface.line = value.strip(), number
            elif line[1:].split()[:1] in (["newdoc"], ["newpar"]):
                surface.new_paragraph = True
        else:
            inside = _take_line(surface, line.split("\t"), inside)
    if surface.tokens:
        yield surface


def _take_line(surface: _Surface, fields: list[str], inside: int) -> int:
    """A line of a token, of several words, or of one of its words."""
    place, form = fields[0], fields[1]
    if "." in place:
        return inside
    first, is_range, last = place.partition("-")
    if is_range:
        surface.tokens.append(_Token(form, _misc(fields[9]), []))
        return int(last)
    if int(first) <= inside:
        surface.tokens[-1].words.append(form)
    else:
        surface.tokens.append(_Token(form, _misc(fields[9]), [form]))
    return inside


def _misc(text: str) -> dict[str, str]:
    """The last column, as names and values."""
    return dict(pair for part in text.split("|") if len(pair := part.split("=", 1)) == 2)
