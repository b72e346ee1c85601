"""How long a text takes when it is read aloud."""

import re

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")
WORD = re.compile(r"[^\W_]+")
# Words and Han characters in a minute.
PACES = {"slow": (110, 180), "normal": (130, 220), "fast": (160, 280)}


def speaking_time(doc_text: str, pace: str = "normal") -> dict:
    han = len(HAN.findall(doc_text))
    words = len(WORD.findall(HAN.sub(" ", doc_text)))
    if han + words == 0:
        raise ValueError("there is nothing to read aloud")
    words_a_minute, han_a_minute = PACES[pace]
    minutes = words / words_a_minute + han / han_a_minute
    return {"result": round(minutes, 2), "words": words, "han": han}
