"""The estimators: the members as scikit-learn knows classifiers, regressors and transformers."""
