"""The members as scikit-learn's estimators: classifiers, regressors and transformers."""
