"""The kernel perceptron: kernel values in blocks, the dual run and its readouts, budgets, and the estimator."""
