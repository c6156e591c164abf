"""The perceptron on a cluster."""
