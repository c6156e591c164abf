"""Edits in plain Python, as core/sentences/edits.hpp says them: how a text becomes another one."""

from rosenblatt.plain_text import fold

SMALL = set("\xb5\u017f\u0345\u03c2\u03d0\u03d1\u03d5\u03d6\u03f0\u03f1\u03f5\u1e9b\u1fbe")


def small_letter(character: str) -> str:
    """The small letter of a capital; any other character as it is."""
    return character if character in SMALL else fold(character)


def changed_case(text: str, change: str) -> str:
    """A text in which no letter, all letters, or all but the first are small."""
    first = {"keep": len(text), "lower": 0, "title": 1}[change]
    return text[:first] + "".join(map(small_letter, text[first:]))


def common_part(first: str, second: str) -> tuple[int, int, int]:
    """Where the longest common part begins in both, the first in `first`, and its length."""
    for length in range(min(len(first), len(second)), 0, -1):
        for i in range(len(first) - length + 1):
            part = first[i : i + length]
            if part in second:
                return i, second.rindex(part), length
    return 0, 0, 0


def find_edit(text: str, to: str, *, at_end: bool = False) -> str:
    """The edit that makes `to` of a text."""
    best, least = f"= {to}", len(text) + len(to) + 1
    for change in ("keep", "lower", "title"):
        i, j, length = common_part(changed_case(text, change), to)
        cost = len(text) + len(to) - 2 * length
        if length and cost < least:
            cut = len(text) - i - length
            best, least = f"{change} {i - len(text) if at_end else i} {cut}\t{to[:j]}\t{to[j + length :]}", cost
    return best


def apply_edit(text: str, edit: str) -> str:
    """What an edit makes of a text."""
    if edit.startswith("= "):
        return edit[2:]
    head, before, behind = edit.split("\t")
    change, first, cut = head.split(" ")
    start = int(first) if int(first) >= 0 else max(len(text) + int(first), 0)
    start = min(start, len(text))
    return before + changed_case(text, change)[start : max(start, len(text) - int(cut))] + behind
