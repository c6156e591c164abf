"""From tables to features and labels: the encoding is learned with the model, and is part of it."""
