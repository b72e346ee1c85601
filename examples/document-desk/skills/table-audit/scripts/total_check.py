"""Holds the total that a table states against the sum of its rows."""

from decimal import Decimal

from table import column_of, number_in


def total_check(column: str, doc_text: str, tolerance: float = 0) -> dict:
    cells, total = column_of(doc_text, column)
    if total is None:
        raise ValueError("the table has no row of totals; its first cell would say 合计, 总计, 小计 or Total")
    stated = number_in(total.text)
    if stated is None:
        raise ValueError(f"{total.name} is no number")
    unread = [cell.name for cell in cells if cell.text and number_in(cell.text) is None]
    added = sum((number_in(cell.text) or Decimal(0) for cell in cells), Decimal(0))
    difference = stated - added
    return {
        "cell": total.name,
        "stated": float(stated),
        "added": float(added),
        "difference": float(difference),
        "matches": abs(difference) <= Decimal(str(tolerance)) and not unread,
        "unread": unread,
    }
