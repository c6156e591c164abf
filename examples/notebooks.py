"""Runs the notebooks beside this file, each from top to bottom in a kernel of its own, and stores what they print.

`python examples/notebooks.py [folder]`, which is `make notebooks`; with a folder, the notebooks that ran go there and
these stay as they are. Stored is what a reader sees: no times, no versions, no numbers of runs.
"""

import sys
import tempfile
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

HERE = Path(__file__).resolve().parent
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
SECONDS = 120  # one cell


def run(path: Path) -> Any:
    """The notebook after a run in an empty folder; an error in a cell is an error here."""
    notebook = nbformat.read(path, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        NotebookClient(
            notebook,
            resources={"metadata": {"path": folder}},
            timeout=SECONDS,
            coalesce_streams=True,  # what is printed may come in any number of parts
            extra_arguments=["--log-level=ERROR"],
        ).execute()
    notebook.metadata = nbformat.from_dict(METADATA)
    for number, cell in enumerate(notebook.cells, start=1):
        cell.id = f"cell-{number}"
        cell.metadata = nbformat.from_dict({})
    return notebook


def main(folder: Path) -> None:
    """Run all notebooks, and write them to `folder`."""
    for path in sorted(HERE.glob("*.ipynb")):
        nbformat.write(run(path), folder / path.name)
        print(folder / path.name)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE)
