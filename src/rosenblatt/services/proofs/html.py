"""A certificate as an HTML table that brings its style along, for notebooks: a caption, and a head for each row."""

from collections.abc import Sequence
from html import escape

# A notebook has rules for tables too. Ours name the class, to win over them.
STYLE = """<style>
table.rosenblatt-proof { border-collapse: collapse; }
table.rosenblatt-proof caption { caption-side: top; text-align: left; padding: .4em 0; }
table.rosenblatt-proof caption strong { display: block; }
table.rosenblatt-proof :is(th, td) { padding: .15em .7em .15em 0; border: 0; text-align: left; vertical-align: top; }
table.rosenblatt-proof tr { background: none; }
</style>"""


def html_of(caption: Sequence[str], facts: Sequence[tuple[str, str]]) -> str:
    """A table of names and what they are; the first line of the caption is the verdict. ASCII only.

    >>> html_of(["separable"], [("bound", "x < 5")]).splitlines()[-2]
    '<tr><th scope="row">bound</th><td>x &lt; 5</td></tr>'
    """
    verdict, *notes = map(escape, caption)
    rows = [f'<tr><th scope="row">{escape(name)}</th><td>{escape(value)}</td></tr>' for name, value in facts]
    head = f"<caption><strong>{verdict}</strong>{'<br>'.join(notes)}</caption>"
    lines = [STYLE, '<table class="rosenblatt-proof">', head, "<tbody>", *rows, "</tbody></table>"]
    return "\n".join(lines).encode("ascii", "xmlcharrefreplace").decode("ascii")
