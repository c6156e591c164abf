"""Before scipy is imported: let scikit-learn's checks also look at input of the array API, which they skip without.

Where CI is set, hypothesis tries the same examples each time; elsewhere it looks for new ones.
"""

import os

from hypothesis import settings

os.environ.setdefault("SCIPY_ARRAY_API", "1")
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
