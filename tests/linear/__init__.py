"""Properties that hold for every small integer data set."""
