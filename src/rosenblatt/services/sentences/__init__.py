"""Taggers and parsers on files: they learn, tag and parse block by block."""
