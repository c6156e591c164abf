"""The structured perceptron (Collins 2002): any output y of an input x, by joint features and a decoder.

    score     s(x, y) = w . Phi(x, y), where `features` gives Phi
    answer    z = argmax over y of s(x, y), which `decode` finds
    mistake   z is not y
    update    w <- w + tau (Phi(x, y) - Phi(x, z))
    step      tau = 1; passive-aggressive: just so far that y is ahead of z by loss(y, z)

If some unit u has u . (Phi(x, y) - Phi(x, z)) >= delta for every wrong z, and these differences are no longer than R,
there are at most (R / delta)^2 mistakes, however many outputs there are. `perceptron.py` is the run and what it leaves.
"""
