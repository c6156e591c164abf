"""What all others use: arrays, rows, labels, numbers, declarations, errors, engines. It needs numpy alone."""
