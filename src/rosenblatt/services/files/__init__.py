"""Data that comes with the package (the sets of the lectures, tagged sentences), and readers and writers of files."""
