"""What does the person who typed this want to find?

In comes what was typed. Out goes a tree of words, phrases and ranges (`nodes`, `parser`), with
notes on what was not understood as it was written; better spellings (`spelling`, which goes by
`qgrams` and `misspelling`), completions while typing (`suggest`), words that people want known
(`dictionary`), other words for the same thing (`synonyms`), and the address if it is one
(`addresses`).

Not for what a word is in a language (`text` analyses the words of the tree), and not for finding or
ranking pages.
"""
