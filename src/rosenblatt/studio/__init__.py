"""The studio: see a perceptron learn, in a page and in a notebook."""
