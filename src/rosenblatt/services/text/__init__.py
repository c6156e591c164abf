"""From text to trees: sentences, tokens, words, tags, lemmas and trees, each a part of one pipeline."""
