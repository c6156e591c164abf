"""Data sets that come with the package: those of the lectures, tagged sentences, and a small treebank."""
