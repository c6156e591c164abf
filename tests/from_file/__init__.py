"""Training from files."""
