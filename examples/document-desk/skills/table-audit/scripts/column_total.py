"""Adds up a column, exactly as the cells show it."""

from table import column_of, number_in


def column_total(column: str, doc_text: str) -> dict:
    numbers = []
    for cell in column_of(doc_text, column).cells:
        number = number_in(cell.text)
        if number is None and cell.text:
            raise ValueError(f"{cell.name} is no number")
        if number is not None:
            numbers.append(number)
    return {"result": float(sum(numbers)), "numbers": len(numbers)}
