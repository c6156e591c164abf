"""Tables as plain aligned text, or as JSON with every digit; and targets with what was measured beside them."""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

Cell = str | float | None


@dataclass
class Table:
    """Rows under named columns; the first column is text, a number is printed as its column says."""

    title: str
    columns: dict[str, str]  # name: format of its numbers, such as ".4f"
    rows: list[dict[str, Cell]] = field(default_factory=list)

    def add(self, *cells: Cell) -> None:
        self.rows.append(dict(zip(self.columns, cells, strict=False)))

    def text(self) -> str:
        """The title, a line of names, the rows; numbers to the right, words to the left, nothing for None.

        >>> table = Table("epochs", {"": "", "seconds": ".2f", "who": ""})
        >>> table.add("listed", 1.0, "ours")
        >>> print(table.text())
        epochs
                seconds  who
        listed     1.00  ours
        """
        lines = [list(self.columns)] + [[_shown(row.get(c), f) for c, f in self.columns.items()] for row in self.rows]
        widths = [max(len(line[k]) for line in lines) for k in range(len(self.columns))]
        forms = [
            f">{width}" if form else f"<{width}" for width, form in zip(widths, self.columns.values(), strict=True)
        ]
        aligned = ["  ".join(map(format, line, forms)).rstrip() for line in lines]
        return "\n".join([self.title, *aligned])


def _shown(cell: Cell, form: str) -> str:
    if cell is None:
        return ""
    return cell if isinstance(cell, str) else format(cell, form)


@dataclass(frozen=True)
class Target:
    """What is aimed at: a measured number at most (or at least) the bound."""

    name: str
    measured: float
    relation: str  # "<=" or ">="
    bound: float
    note: str = ""

    @property
    def reached(self) -> bool:
        return self.measured <= self.bound if self.relation == "<=" else self.measured >= self.bound


def report(tables: Iterable[Table], targets: Iterable[Target], *, as_json: bool) -> str:
    """All tables, then the targets and whether they are reached."""
    tables, targets = list(tables), list(targets)
    if as_json:
        aims = [asdict(target) | {"reached": target.reached} for target in targets]
        return json.dumps({"tables": [asdict(table) for table in tables], "targets": aims}, indent=1)
    summary = Table("targets", {"": "", "measured": ".5g", "aim": ">", "reached": "", "note": ""})
    for t in targets:
        summary.add(t.name, t.measured, f"{t.relation} {t.bound:g}", "yes" if t.reached else "NO", t.note)
    return "\n\n".join(table.text() for table in [*tables, summary] if table.rows)
