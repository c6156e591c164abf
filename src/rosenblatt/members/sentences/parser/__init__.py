"""The dependency parser: an averaged perceptron over the actions of a transition system, arc-hybrid with swaps.

A sentence becomes a tree by actions: shift, left, right and root with a label each, swap. Templates look at the
configuration c (the stack, the next words, the arcs so far) and make its attributes phi(c); each action a has weights.

    score     s(c, a) = w_a . phi(c)
    answer    z = argmax over the actions that are possible of s(c, a): greedy; or the best way of a beam
    mistake   z costs more arcs of the right tree than another action would; y is the best of those that cost the fewest
    update    w_y <- w_y + phi(c), w_z <- w_z - phi(c)

With a beam a sentence is an example: the update is where the best way is furthest ahead of the right one. "average"
answers with the mean of w after each visit. `templates.py` says what is looked at, `learn.py` how a run goes and what
is guaranteed, and `model.py` how it answers.
"""
