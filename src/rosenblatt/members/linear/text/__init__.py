"""Text: the perceptron over words of raw texts."""
