"""Writes core/text/unicode_table.hpp from what this Python knows of Unicode: python -m tests.text.unicode_table.

Kinds of characters as ranges, and simple case folding as runs: every step-th character from first to last moves by
delta. The definition is plain_text's.
"""

import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill

from rosenblatt.plain_text import fold, kind

PLACE = Path(__file__).parents[2] / "core" / "text" / "unicode_table.hpp"


def kinds() -> Iterator[tuple[int, int]]:
    """Where a range of characters of one kind begins, and the kind."""
    before = None
    for code in range(sys.maxunicode + 1):
        if (found := kind_or(code, before)) != before:
            yield code, found
            before = found


def kind_or(code: int, before: int | None) -> int:
    """The kind of a character; `before` if it is not assigned, which spares plain_text the way back to one that is."""
    unassigned = before is not None and unicodedata.category(chr(code)) == "Cn"
    return before if unassigned and before is not None else kind(chr(code))


def folds() -> list[tuple[int, int, int, int]]:
    """Runs of characters that fold alike: first, last, step, delta."""
    runs = list[tuple[int, int, int, int]]()
    for code in range(sys.maxunicode + 1):
        delta = 0 if 0xD800 <= code < 0xE000 else ord(fold(chr(code))) - code
        if delta == 0:
            continue
        first, last, step, known = runs[-1] if runs else (0, 0, 0, 0)
        if known == delta and code - last in ((1, 2) if first == last else (step,)):
            runs[-1] = first, code, code - last, delta
        else:
            runs.append((code, code, 1, delta))
    return runs


def table() -> str:
    """The header, whole."""
    lines = [
        f"// Kinds of characters and their simple case folding, from Unicode {unicodedata.unidata_version}.",
        "// Written by python -m tests.text.unicode_table; see text/characters.hpp.",
        "#pragma once",
        "",
        "#include <cstdint>",
        "",
        "namespace rosenblatt {",
        "",
        "// clang-format off",
        "struct KindRange { uint32_t first, kind; };",
        "constexpr KindRange kKindRanges[] = {",
        wrapped(f"{{{first},{kind}}}" for first, kind in kinds()),
        "};",
        "struct FoldRun { uint32_t first, last, step; int32_t delta; };",
        "constexpr FoldRun kFoldRuns[] = {",
        wrapped(f"{{{first},{last},{step},{delta}}}" for first, last, step, delta in folds()),
        "};",
        "// clang-format on",
        "",
        "}  // namespace rosenblatt",
        "",
    ]
    return "\n".join(lines)


def wrapped(entries: Iterator[str]) -> str:
    return fill(", ".join(entries), 119)


if __name__ == "__main__":
    PLACE.write_text(table(), encoding="ascii")
