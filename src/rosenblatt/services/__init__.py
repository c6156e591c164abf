"""What is done with members and for them: files, records, proofs, lessons, comparison, export."""
