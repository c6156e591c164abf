"""Model files: what is saved is loaded to the bit, and what is damaged is refused."""
