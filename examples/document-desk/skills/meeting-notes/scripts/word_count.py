"""Counts a text in the units its readers use: words, and Han characters, which have no spaces between them."""

import re

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def word_count(doc_text: str) -> dict:
    without_han = HAN.sub(" ", doc_text)
    return {
        "words": len(WORD.findall(without_han)),
        "han": len(HAN.findall(doc_text)),
        "lines": sum(1 for line in doc_text.split("\n") if line.strip()),
    }
