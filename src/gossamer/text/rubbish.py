"""What looks like a word and is none: encoded data, numbers of programs, keys held down.

A rule may only fire where no language has a word. What is left out can't be found, so in doubt it
stays in.
"""

import re

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_HEX = re.compile(r"[0-9a-f]{16,}", re.IGNORECASE)
# A capital that begins a word is no change.
_CHANGE = re.compile(
    r"(?<=[a-z])[A-Z0-9+/]|(?<=[0-9])[A-Za-z]|(?<=[A-Z])[0-9+/]|[A-Z](?=[A-Z][a-z])"
)
_DIGIT_BESIDE_LETTER = re.compile(r"(?<=[0-9])[^\W\d_]|(?<=[^\W\d_])[0-9]")
_CONSONANTS = re.compile(r"[b-df-hj-np-tvxz]+")  # w and y are vowels in Welsh

_LONGEST_NUMBER = 24  # ISBN 13, IBAN 22
_MOST_CONSONANTS = 12  # in a row, as in 'Borschtschschnitte'
SUSPICIOUS_LENGTH = 13
"""A shorter word is never rubbish."""
DATA_LENGTH = 32
"""A run of base64 that is shorter can't be told from words."""


def is_data(run: str) -> bool:
    """Whether a run of letters, digits, + / _ - and = is encoded data: base64, a hash, a UUID."""
    if _UUID.fullmatch(run) or _is_hex(run):
        return True
    if len(run) < DATA_LENGTH or not re.search("[0-9]", run) or not re.search("[a-z]", run):
        return False
    head = run[:512]
    return len(_CHANGE.findall(head)) > len(head) * 0.3


def is_rubbish(word: str, longest: int) -> bool:
    """Whether a lower-cased run of letters and digits is not worth a place in a dictionary."""
    length = len(word)
    if length < SUSPICIOUS_LENGTH:
        return length > longest
    if length > longest:
        return True
    if word.isdigit():
        return length > _LONGEST_NUMBER
    if len(set(word)) < 3:
        return True
    if not word.isalpha():
        return _is_hex(word) or (length >= 16 and len(_DIGIT_BESIDE_LETTER.findall(word)) > 4)
    if not word.isascii():
        return False
    consonants = _CONSONANTS.findall(word)
    if max(map(len, consonants), default=0) > _MOST_CONSONANTS:
        return True
    return sum(map(len, consonants)) > length * 0.86


def _is_hex(run: str) -> bool:
    # An account number may begin with a country whose letters are digits here: DE89 3704 ...
    return bool(_HEX.fullmatch(run)) and len(_DIGIT_BESIDE_LETTER.findall(run[:512])) > 1
