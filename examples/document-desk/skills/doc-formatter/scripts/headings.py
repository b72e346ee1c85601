"""The headings of a document, shared by the tools beside it."""

import re
from typing import NamedTuple

FORMS = (
    (re.compile(r"(#{1,6}) +(\S.*)"), lambda match: len(match[1])),
    (re.compile(r"(第[一二三四五六七八九十百0-9]{1,6}章) *(.*)"), lambda _: 1),
    (re.compile(r"([一二三四五六七八九十]{1,3}、) *(\S.*)"), lambda _: 1),
    (re.compile(r"(（[一二三四五六七八九十]{1,3}）) *(\S.*)"), lambda _: 2),
    (re.compile(r"(\d{1,2}(?:\.\d{1,2}){1,5}) +(\S.*)"), lambda match: match[1].count(".") + 1),
)


class Heading(NamedTuple):
    level: int
    text: str
    line: int
    start: int
    end: int


def headings_of(doc_text: str) -> list:
    found = []
    start = 0
    for line, text in enumerate(doc_text.split("\n"), 1):
        for form, level_of in FORMS:
            match = form.fullmatch(text.rstrip())
            if match is not None:
                shown = match[2].strip() if match[1].startswith("#") else text.strip()
                found.append(Heading(level_of(match), shown, line, start, start + len(text)))
                break
        start += len(text) + 1
    if not found:
        raise ValueError("no heading found; headings begin with #, 第…章, 一、, （一） or 1.1")
    return found
