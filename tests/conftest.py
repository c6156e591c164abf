"""Before scipy is imported: let scikit-learn's checks also look at input of the array API, which it skips without."""

import os

os.environ.setdefault("SCIPY_ARRAY_API", "1")
