"""Members that learn from sentences: the tagger and the parser."""
