"""Small corpora with many ties, and templates of all kinds."""

from typing import Any

from hypothesis import strategies as st

words = st.sampled_from(["a", "b", "c"])
tokens = st.tuples(words, st.sampled_from(["X", "Y"]))
lines = st.lists(
    st.sampled_from(
        [
            "U0:%x[0,0]",
            "U1:%x[-1,0]/%x[0,1]",
            "U2:%x[1,1]",
            "U3:%x[-2,0]",
            "U4",
            "U:%x[-1,0]",
            "U:%x[1,0]",
            "B",
            "B1:%x[0,1]",
            "B2:%x[1,0]",
        ]
    ),
    min_size=1,
    max_size=6,
    unique=True,
)


@st.composite
def corpora(draw: Any, max_labels: int = 3, max_tokens: int = 4, max_sentences: int = 5) -> tuple[Any, Any]:
    """Sentences, and their tags; at least one token."""
    X = draw(st.lists(st.lists(tokens, min_size=1, max_size=max_tokens), min_size=1, max_size=max_sentences))
    if draw(st.booleans()):
        X.append([])
    label = st.sampled_from(["P", "P-2", "Q", "Q-2"][:max_labels])
    return X, [[draw(label) for _ in sentence] for sentence in X]
