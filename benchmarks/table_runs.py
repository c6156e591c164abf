"""From a table to a model on disk in Python: `python -m benchmarks.table_runs WAY FOLDER`, a process for each way."""

import sys
from pathlib import Path
from typing import Any


def ours(folder: Path) -> None:
    """The encoding and the estimator, as a notebook has them."""
    from rosenblatt import Perceptron, TableEncoding, read_table, save

    table = read_table(folder / "train.csv")
    encoding = TableEncoding(label="label", standardise=False).fit(table)
    model = Perceptron(readout="average", max_iter=1, random_state=0)
    model.fit(encoding.transform(table), encoding.labels(table))
    save(model, folder / "python.safetensors", encoding=encoding)


def pandas(folder: Path, **options: Any) -> None:
    """A frame, indicators for its texts, and scikit-learn's averaged perceptron."""
    import joblib
    import pandas as pd
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder

    from benchmarks.peers import averaged_perceptron

    frame = pd.read_csv(folder / "train.csv", **options)
    columns = ColumnTransformer([("state", OneHotEncoder(), ["state"])], remainder="passthrough")
    model = make_pipeline(columns, averaged_perceptron(1)).fit(frame.drop(columns="label"), frame["label"])
    joblib.dump(model, folder / f"{options.get('engine', 'pandas')}.joblib")


def pandas_arrow(folder: Path) -> None:
    """The same with the faster of pandas' readers."""
    pandas(folder, engine="pyarrow")


def error_of(folder: Path, way: str) -> None:
    """Print that of a model of scikit-learn on the test file."""
    import joblib
    import pandas as pd

    frame = pd.read_csv(folder / "test.csv")
    model = joblib.load(folder / {"pandas": "pandas.joblib", "pandas_arrow": "pyarrow.joblib"}[way])
    print(float((model.predict(frame.drop(columns="label")) != frame["label"]).mean()))


def seeds(folder: Path, count: str) -> None:
    """Print the test errors of ours and of scikit-learn's for so many orders of the same rows, a line each."""
    from benchmarks.peers import averaged_perceptron
    from rosenblatt import Perceptron, TableEncoding, read_table

    table, test = (read_table(folder / f"{name}.parquet") for name in ("train", "test"))
    encoding = TableEncoding(label="label", standardise=False).fit(table)
    (X, y), (X_test, y_test) = ((encoding.transform(rows), encoding.labels(rows)) for rows in (table, test))
    for make in (lambda: Perceptron(readout="average", max_iter=1), lambda: averaged_perceptron(1)):
        runs = (make().set_params(random_state=seed).fit(X, y) for seed in range(int(count)))
        print(*(float((run.predict(X_test) != y_test).mean()) for run in runs))


if __name__ == "__main__":
    way, *words = sys.argv[1:]
    globals()[way](Path(words[0]), *words[1:])
