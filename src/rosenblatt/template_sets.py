"""The built-in templates. Each set was chosen on held-out parts of training data, never on test data."""

_CHUNK = """
# The words and the parts of speech around the token.
U00:%x[-2,0]
U01:%x[-1,0]
U02:%x[0,0]
U03:%x[1,0]
U04:%x[2,0]
U05:%x[-1,0]/%x[0,0]
U06:%x[0,0]/%x[1,0]
U10:%x[-2,1]
U11:%x[-1,1]
U12:%x[0,1]
U13:%x[1,1]
U14:%x[2,1]
U15:%x[-2,1]/%x[-1,1]
U16:%x[-1,1]/%x[0,1]
U17:%x[0,1]/%x[1,1]
U18:%x[1,1]/%x[2,1]
U20:%x[-2,1]/%x[-1,1]/%x[0,1]
U21:%x[-1,1]/%x[0,1]/%x[1,1]
U22:%x[0,1]/%x[1,1]/%x[2,1]
B
"""

_POS = """
U00:%x[0,0]
U01:%lower[0,0]
U02:%lower[-1,0]
U03:%lower[1,0]
U04:%lower[-2,0]
U05:%lower[2,0]
U06:%lower[-1,0]/%lower[0,0]
U07:%lower[0,0]/%lower[1,0]
U10:%prefix1[0,0]
U11:%prefix2[0,0]
U12:%prefix3[0,0]
U20:%suffix1[0,0]
U21:%suffix2[0,0]
U22:%suffix3[0,0]
U23:%suffix4[0,0]
U30:%shape[0,0]
U31:%digit[0,0]
U32:%hyphen[0,0]
U33:%upper[0,0]
U40:%suffix3[-1,0]
U41:%suffix3[1,0]
B
"""

BUILT_IN = {"pos": _POS, "chunk": _CHUNK, "ner": _CHUNK}
