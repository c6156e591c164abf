"""The sections of the help of verbs with many options, and what is in each. What is in none comes last, with --help."""

SECTIONS = {
    "Search": ("try", "folds", "test"),
    "Judging": ("holdout",),
    "Learning": (
        *("readout", "step", "margin", "eta0", "C", "r", "tie", "multiclass", "batch-size", "shuffle", "init"),
        *("class-weight", "intercept", "intercept-scaling", "seed", "keep-mistakes"),
        *("templates", "boundary", "share", "beam", "exploration", "prune"),
    ),
    "Stopping": ("max-iter", "tol", "early-stopping", "validation-fraction", "n-iter-no-change", "dev", "refit"),
    "Many cores": ("shards", "rounds", "n-jobs", "dask"),
    "Numbers, and linear units": (
        *("unit", "unit-classifier", "method", "learning-rate", "power-t"),
        *("passive-aggressive", "loss", "epsilon", "average"),
    ),
    "Kernel": (
        *("kernel", "degree", "gamma", "coef0", "normalise", "passes", "suffix"),
        *("budget", "budget-policy", "block-size", "cache-size"),
    ),
    "Files": (
        *("from", "n-features", "zero-based", "columns", "tag", "tagger", "jackknife"),
        *("stream", "cache", "checkpoint", "checkpoint-seconds", "resume", "float32", "max-line"),
    ),
    "Tables": (
        *("label", "delimiter", "header", "names", "na", "decimal", "thousands", "date-order", "encoding"),
        *("categorical", "text", "dates", "ignore"),
        *("missing", "unknown", "standardise", "ngrams", "hash-bits"),
    ),
    "Output": ("model", "output", "json"),
}
