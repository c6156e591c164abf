"""Members, steps and parameters side by side, under cross-validation."""
