"""Passive-aggressive steps in the words of scikit-learn's classes: for labels the perceptron's run, and for numbers."""
