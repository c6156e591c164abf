"""Make a model of the package from a treebank: `python models/make.py NAME TRAIN DEV TEST --licence FILE`.

TRAIN teaches, DEV chooses the passes, TEST counts what is right. Beside the model go the licence of the treebank and
the figures; the wheel has all that is there.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import Literal

import rosenblatt

PACKAGE = Path(__file__).resolve().parent / "src" / "rosenblatt_models"
SOURCES: tuple[Literal["text", "tokens"], ...] = ("text", "tokens")


def make(name: str, train: str, dev: str, test: str, licence: str) -> dict[str, object]:
    """Train the model and write its three files; return its figures."""
    try:
        terms = Path(licence).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{licence}: expected a licence as text in UTF-8, found other bytes") from None
    pipeline = rosenblatt.TextPipeline().fit_file(train, dev=dev, tell=tell)
    figures: dict[str, object] = {"trained_on": Path(train).name, "passes_by": Path(dev).name}
    figures |= {"right_on": Path(test).name, "rosenblatt": rosenblatt.__version__}
    for source in SOURCES:
        table = pipeline.score_file(test, source=source)
        figures[f"from_{source}"] = {what: round(100 * score.f1, 2) for what, score in table.items()}
    rosenblatt.save(pipeline, PACKAGE / f"{name}.safetensors")
    (PACKAGE / f"{name}.LICENSE").write_text(terms, encoding="utf-8")
    (PACKAGE / f"{name}.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    return figures


def tell(part: str, score: float | None) -> None:
    """Say that a part has learned: all of them take minutes."""
    if sys.stderr.isatty():
        right = "" if score is None else f", {100 * score:.2f} % right"
        print(f"{part}: learned{right}", file=sys.stderr)


def main() -> None:
    """Read the arguments, and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("name", help="what to call it, such as en")
    for part in ("train", "dev", "test"):
        parser.add_argument(part, help=f"the {part} part of the treebank, in CoNLL-U")
    parser.add_argument("--licence", required=True, metavar="FILE", help="the licence of the treebank")
    words = parser.parse_args()
    if re.fullmatch(r"\w[\w-]*", words.name) is None:
        parser.error(f"NAME: expected letters and digits, such as en, found {words.name!r}")
    try:
        figures = make(**vars(words))
    except (OSError, ValueError) as error:
        sys.exit(f"error: {error}")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
