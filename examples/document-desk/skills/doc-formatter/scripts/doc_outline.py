"""The structure of a document: its headings, and where a level is left out."""

from headings import headings_of


def doc_outline(doc_text: str) -> dict:
    headings = headings_of(doc_text)
    before = [0] + [heading.level for heading in headings]
    jumps = [heading.line for level, heading in zip(before, headings) if heading.level > level + 1]
    places = [{"level": each.level, "line": each.line, "start": each.start, "end": each.end} for each in headings]
    return {"total": len(headings), "deepest": max(before), "jumps": jumps, "headings": places}
