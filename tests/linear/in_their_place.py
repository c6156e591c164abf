"""A plugin of pytest that puts our passive-aggressive classes in the place of scikit-learn's, for its own tests.

These also look for private names, which ours do not have: here they lead to the public `coef_for` and `intercept_for`.
"""

from typing import Any

import sklearn.linear_model

import rosenblatt


class _PrivateNames:
    _average_coef: Any = property(lambda model: model.coef_for("average"))
    _average_intercept: Any = property(lambda model: model.intercept_for("average"))
    _standard_coef: Any = property(lambda model: model.coef_for("last"))
    _standard_intercept: Any = property(lambda model: model.intercept_for("last"))


for name in ("PassiveAggressiveClassifier", "PassiveAggressiveRegressor"):
    ours = getattr(rosenblatt, name)
    setattr(sklearn.linear_model, name, type(name, (_PrivateNames, ours), {"__init__": ours.__init__}))
