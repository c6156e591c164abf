"""The structured perceptron: joint features and a decoder."""
