"""What the oldest libraries that the package allows cannot do yet: tests of that are for newer ones, and say why."""

from importlib.metadata import version

import numpy as np
import polars as pl
import pytest
import scipy
import sklearn
from packaging.version import Version

from rosenblatt.doors.sklearn.callbacks import HAS_CALLBACKS

CLICK, NUMPY = Version(version("click")), Version(np.__version__)
SCIPY, SKLEARN = Version(scipy.__version__), Version(sklearn.__version__)

callbacks = pytest.mark.skipif(not HAS_CALLBACKS, reason="scikit-learn has callbacks from 1.9 on")
sparse_interface = pytest.mark.skipif(
    "sparse_interface" not in sklearn.get_config(), reason="scikit-learn is told whether to give arrays from 1.9 on"
)
sparse_vectors = pytest.mark.skipif(
    Version("1.15") > SCIPY, reason="scipy has sparse arrays of one dimension from 1.13 on, and their slices from 1.15"
)
polars_names = pytest.mark.skipif(
    Version("1.9") > SKLEARN and not hasattr(pl.DataFrame, "__dataframe__"),
    reason="scikit-learn before 1.9 asks frames for their names by a protocol that polars has given up",
)
option_meant = pytest.mark.skipif(
    Version("8.4") > CLICK, reason="click before 8.4 says in other words which option was meant"
)
printed = pytest.mark.skipif(
    not HAS_CALLBACKS or Version("2") > NUMPY or Version("1.15") > SCIPY or Version("8.4") > CLICK,
    reason="pages show what newer libraries offer and print",
)
pyarrow_tables = pytest.mark.skipif(
    Version("1.7") > SKLEARN, reason="scikit-learn's searches take rows of pyarrow's tables from 1.7 on"
)

# By name, for `expected_failed_checks`. The check of 1.6 calls the class of the first row the first, and shuffles rows.
BINARY_WEIGHTS = (
    {}
    if Version("1.7") <= SKLEARN
    else dict.fromkeys(
        ["check_sample_weight_equivalence_on_dense_data", "check_sample_weight_equivalence_on_sparse_data"],
        "for classifiers of two classes the check of scikit-learn 1.6 compares fits to different labels",
    )
)
