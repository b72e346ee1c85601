"""The clauses of a contract, shared by the tools beside it."""

import re
from typing import NamedTuple

HEAD = re.compile(
    r"^[ \t\u3000]{0,8}(第[一二三四五六七八九十百零〇0-9]{1,8}条|(?:Article|Section|Clause) \d{1,3})"
    r"[ \t\u3000.:：]{0,4}([^\s:：。，,.]{0,20})",
    re.MULTILINE,
)


class Clause(NamedTuple):
    number: str
    title: str
    line: int
    start: int
    end: int


def clauses_of(doc_text: str) -> list:
    """Every clause in order. What stands before the first one, parties and preamble, belongs to none."""
    heads = list(HEAD.finditer(doc_text))
    if not heads:
        raise ValueError("no clauses found; a clause begins its line with 第…条, Article, Section or Clause")
    ends = [head.start() for head in heads[1:]] + [len(doc_text)]
    return [
        Clause(head[1], head[2], line_of(doc_text, head.start(1)), head.start(1), end)
        for head, end in zip(heads, ends)
    ]


def line_of(doc_text: str, at: int) -> int:
    return doc_text.count("\n", 0, at) + 1
