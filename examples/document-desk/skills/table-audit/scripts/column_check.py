"""Finds the cells of a column that break a rule."""

from datetime import date

from table import column_of, number_in


def column_check(column: str, doc_text: str, rule: str) -> dict:
    cells = column_of(doc_text, column).cells
    firsts = {cell.text: cell.name for cell in reversed(cells)}
    bad = [{"cell": cell.name, "reason": reason} for cell in cells if (reason := problem(cell, rule, firsts))]
    return {"checked": len(cells), "bad": bad}


def problem(cell, rule: str, firsts: dict):
    """What is wrong with a cell; None where nothing is. Of equal cells only the later ones are wrong."""
    if not cell.text:
        return None if rule == "unique" else "blank"
    if rule == "number" and number_in(cell.text) is None:
        return "not a number"
    if rule == "date" and not is_date(cell.text):
        return "not a date as 2026-03-01"
    if rule == "unique" and firsts[cell.text] != cell.name:
        return f"same as {firsts[cell.text]}"
    return None


def is_date(text: str) -> bool:
    parts = text.replace("/", "-").split("-")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts) or len(parts[0]) != 4:
        return False
    year, month, day = map(int, parts)
    try:
        date(year, month, day)
    except ValueError:
        return False
    return True
