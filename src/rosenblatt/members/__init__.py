"""What the members of the family share: passes, stopping, sample weights, the online protocol."""
