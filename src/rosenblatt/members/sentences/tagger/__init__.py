"""The sequence tagger: an averaged structured perceptron for label sequences (Collins 2002).

Sentence x has tokens 1 to n, and y = (y_1, ..., y_n) is a label for each. Templates look at x around token t and make
its attributes: Phi(x, y) counts them with the label y_t, and those of pairs of labels with y_(t-1) and y_t.

    score     s(x, y) = w . Phi(x, y)
    answer    z = argmax over y of s(x, y), exact, by Viterbi
    mistake   z is not y
    update    w <- w + tau (Phi(x, y) - Phi(x, z)): at each token that differs, add the attributes with the right label,
              and subtract them with the wrong one
    step      tau = 1; passive-aggressive: just large enough that s(x, y) exceeds s(x, z) by the root of the number of
              wrong labels

"average" answers with the mean of w after each visit of a sentence. `templates.py` says what is looked at, `learn.py`
how a run goes, `sources.py` where its visits come from, and `model.py` how it answers.
"""
