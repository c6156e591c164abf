"""Taggers and parsers on files: learned from, tagged and parsed block by block."""
