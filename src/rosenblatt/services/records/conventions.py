"""How to read the tensors of a model file, said for a reader in another language. Each file has those of its kind."""

CONVENTIONS = {
    "Perceptron": (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = unit * (x.w + bias * last row of w); in place of w: "
        "(visits * w - sums) / visits for the readout average, pocket for the readout pocket; mistakes: after `visit` "
        "visits, tau times training row `row`, which support_row finds in the support, was added to column cls; "
        "shards: of n rows shard s has n s // shards to n (s + 1) // shards, in so many rounds a pass (auto: an eighth "
        "of the shards, at least 1); round r, counted from 0 over all passes, visits part r mod rounds of each shard, "
        "cut likewise, in the order of pass r shards + s; mixed_mistakes_: the mistakes of each pass as shards were "
        "mixed"
    ),
    "KernelPerceptron": (
        "kernel: its name, gamma, coef0, degree; events: after `visit` visits, tau times support vector `row` was "
        "added to machine cls, positive for the second of two classes, else one a class, whose squared length then was "
        "norm2; score = unit * sum of tau k(support[row], x), for the readout average with tau (visits - visit) / "
        "visits; if a budget is full, the coefficients are those of slots.coefs where slots.born is not -1, or c with "
        "c project.factor = project.weights, for the average with (visits * weights - sums) / visits"
    ),
    "PassiveAggressiveClassifier": (
        "w: a row a feature, the constant feature's last; one column for two classes, positive for the second, else "
        "one a class, padded to a multiple of eight; score = x.w + bias * last row of w; if `average` is not 0 and n = "
        "visits - unaveraged is over 0, in place of w: (n * w - sums) / n"
    ),
    "PassiveAggressiveRegressor": (
        "w: a weight a feature, the constant feature's last; output = x.w + bias * last of w; if `average` is not 0 "
        "and n = visits - unaveraged is over 0, in place of w: (n * w - sums) / n"
    ),
    "LinearUnit": "output = coef_.x + intercept_",
    "LinearUnitClassifier": (
        "score = coef_.x + intercept_; one row for two classes, positive for the second, else one a class"
    ),
    "RandomHypotheses": "score = coef_.x + intercept_, positive for the second class",
    "SequenceTagger": (
        "row k is of the attribute with the 64-bit key keys[k], after label before[k] if that is not -1, and has the "
        "next counts[k] cells: labels, w and sums; the average is (visits * w - sums) / visits; both are in units, of "
        "which a weight of 1 has `units`, or one; of n labels, label j shares the cell n + parts[j] of a unigram; all "
        "but the keys are packed: two bytes with the type (i1, i2, i4, i8, f8, little-endian), then zlib's; "
        "shards: shard s learned from the sentences n s // shards to n (s + 1) // "
        "shards, in round r, counted from 0 over all passes, from the r-th of `rounds` parts of them, in the order of "
        "pass r shards + s; mixed_mistakes_: the wrong sentences of each pass, weighted as the shards were mixed"
    ),
    "DependencyParser": (
        "row k is of the attribute with the 64-bit key keys[k], and has the next counts[k] cells: cell_actions, w and "
        "sums; the average is (visits * w - sums) / visits; actions: 0 shift, then left and right with each of "
        "arc_labels, root with each of root_labels, swap; all but the keys are packed: two bytes with the type (i1, "
        "i2, i4, i8, little-endian), then zlib's"
    ),
}
