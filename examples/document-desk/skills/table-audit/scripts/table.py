"""A table in text, shared by the tools beside it. Cells are separated by tabs, bars or commas."""

import csv
import re
from decimal import Decimal
from typing import NamedTuple

TOTALS = ("合计", "总计", "小计", "total", "subtotal")
PLAIN = re.compile(r"[+-]?\d{1,30}(?:\.\d{1,30})?")
MONEY = str.maketrans("", "", "¥￥$元, \u3000")


class Cell(NamedTuple):
    name: str
    text: str


class Column(NamedTuple):
    """One column: its cells below the heading, and the cell in the row of totals, if there is one."""

    cells: list
    total: Cell


def column_of(doc_text: str, heading: str) -> Column:
    rows = rows_of(doc_text)
    head = [name.strip() for name in rows[0]]
    if head.count(heading.strip()) != 1:
        raise ValueError(f"the table has no single column {heading!r}; it has {', '.join(head)}")
    at = head.index(heading.strip())
    cells, total = [], None
    for number, row in enumerate(rows[1:], 2):
        cell = Cell(f"{letters(at)}{number}", row[at].strip() if at < len(row) else "")
        if row[0].strip().lower() in TOTALS:
            total = cell
        else:
            cells.append(cell)
    return Column(cells, total)


def rows_of(doc_text: str) -> list:
    lines = [line for line in doc_text.splitlines() if line.strip()]
    separator = next((mark for mark in "\t|," if lines and mark in lines[0]), None)
    if separator is None or len(lines) < 2:
        raise ValueError("no table found; a heading and one row at least, with tabs, bars or commas between cells")
    return list(csv.reader(lines, delimiter=separator, skipinitialspace=True))


def letters(index: int) -> str:
    """A, B … Z, AA, AB …: what a spreadsheet calls its columns."""
    name = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        name = chr(ord("A") + rest) + name
    return name


def number_in(text: str):
    """The number a cell shows, exactly; None where it shows none. Brackets mean less than nothing."""
    plain = text.translate(MONEY)
    if plain.startswith("(") and plain.endswith(")"):
        plain = f"-{plain[1:-1]}"
    if not PLAIN.fullmatch(plain):
        return None
    return Decimal(plain)
