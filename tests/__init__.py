"""The tests of Rosenblatt, by kind."""
