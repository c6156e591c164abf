"""What shows how a perceptron learns: traces and pictures."""
