"""The perceptron: a weight vector."""
