"""The built-in templates. "pos" and "chunk" were chosen on held-out parts of training data, never on test data.

"pos" and "ner" look at words alone, column 0; "chunk" at words and their parts of speech, columns 0 and 1.
"""

_POS = """
# words
U00:%x[0,0]
U01:%lower[-2,0]
U02:%lower[-1,0]
U03:%lower[0,0]
U04:%lower[1,0]
U05:%lower[2,0]
U06:%lower[-2,0]/%lower[-1,0]
U07:%lower[-1,0]/%lower[0,0]
U08:%lower[0,0]/%lower[1,0]
U09:%lower[1,0]/%lower[2,0]
U10:%lower[-1,0]/%lower[1,0]
# how the word begins and ends
U20:%prefix1[0,0]
U21:%prefix2[0,0]
U22:%prefix3[0,0]
U23:%prefix4[0,0]
U24:%suffix1[0,0]
U25:%suffix2[0,0]
U26:%suffix3[0,0]
U27:%suffix4[0,0]
U28:%suffix5[0,0]
U30:%suffix3[-1,0]
U31:%suffix3[1,0]
U32:%lower[-1,0]/%suffix2[0,0]
# how it is written
U40:%shape[0,0]
U41:%shape[-1,0]
U42:%shape[1,0]
U43:%shape[-1,0]/%shape[0,0]/%shape[1,0]
U44:%digit[0,0]
U45:%hyphen[0,0]
U46:%upper[0,0]
# label pairs
B
"""

_CHUNK = """
# words
U00:%lower[-2,0]
U01:%lower[-1,0]
U02:%lower[0,0]
U03:%lower[1,0]
U04:%lower[2,0]
U05:%lower[-1,0]/%lower[0,0]
U06:%lower[0,0]/%lower[1,0]
# parts of speech
U10:%x[-3,1]
U11:%x[-2,1]
U12:%x[-1,1]
U13:%x[0,1]
U14:%x[1,1]
U15:%x[2,1]
U16:%x[3,1]
U20:%x[-2,1]/%x[-1,1]
U21:%x[-1,1]/%x[0,1]
U22:%x[0,1]/%x[1,1]
U23:%x[1,1]/%x[2,1]
U24:%x[-2,1]/%x[-1,1]/%x[0,1]
U25:%x[-1,1]/%x[0,1]/%x[1,1]
U26:%x[0,1]/%x[1,1]/%x[2,1]
# how words begin, end and are written
U30:%prefix3[0,0]
U31:%suffix2[0,0]
U32:%suffix3[0,0]
U33:%suffix3[-1,0]
U34:%suffix3[1,0]
U35:%shape[-1,0]
U36:%shape[0,0]
U37:%shape[1,0]
# label pairs
B
"""

_NER = """
# words
U00:%x[0,0]
U01:%lower[-2,0]
U02:%lower[-1,0]
U03:%lower[0,0]
U04:%lower[1,0]
U05:%lower[2,0]
U06:%lower[-1,0]/%lower[0,0]
U07:%lower[0,0]/%lower[1,0]
# how they begin and end
U10:%prefix1[0,0]
U11:%prefix2[0,0]
U12:%prefix3[0,0]
U13:%prefix4[0,0]
U14:%suffix1[0,0]
U15:%suffix2[0,0]
U16:%suffix3[0,0]
U17:%suffix4[0,0]
U18:%suffix3[-1,0]
U19:%suffix3[1,0]
# how they are written
U20:%shape[-2,0]
U21:%shape[-1,0]
U22:%shape[0,0]
U23:%shape[1,0]
U24:%shape[2,0]
U25:%shape[-1,0]/%shape[0,0]
U26:%shape[0,0]/%shape[1,0]
U27:%shape[-1,0]/%shape[0,0]/%shape[1,0]
U28:%digit[0,0]
U29:%hyphen[0,0]
# label pairs, also for each word
B
B1:%lower[0,0]
"""

BUILT_IN = {"pos": _POS, "chunk": _CHUNK, "ner": _NER}
