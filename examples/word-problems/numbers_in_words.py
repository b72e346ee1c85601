"""Numbers as people write them: digits or words."""

import re

SMALL = "zero one two three four five six seven eight nine ten eleven twelve".split()
WORDS = {**{word: value for value, word in enumerate(SMALL)}, "fifteen": 15, "twenty": 20, "thirty": 30}
TIMES = {"half": 0.5, "twice": 2}
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()

NUMBER = r"(?:-?\d+(?:\.\d+)?|\b(?:" + "|".join(WORDS) + r")\b)"
NUMBER_LIST = NUMBER + r"(?:(?:,? (?:and )?|,)" + NUMBER + r")+"


def number(text):
    """`12`, `2.5` or `three` as a number."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    return float(text) if "." in text else int(text)


def number_list(text):
    return [number(found) for found in re.findall(NUMBER, text, re.IGNORECASE)]


def tidy(value):
    """A whole number without a fraction, any other without the noise of floating point."""
    rounded = round(value, 9)
    return int(rounded) if rounded == int(rounded) else rounded
