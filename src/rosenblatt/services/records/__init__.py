"""Model files: what a trained model is, in one file that any language can read."""
