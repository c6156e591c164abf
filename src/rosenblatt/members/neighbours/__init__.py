"""The perceptron's neighbours in the lectures: the linear unit, and the best of random hypotheses."""
