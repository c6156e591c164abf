"""The sequence tagger: the structured perceptron for labels of tokens, at full speed."""
