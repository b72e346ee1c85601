"""Reads a draft as slides: a heading begins one, list items below it are its bullets."""

import re

HEADING = re.compile(r"#{1,3} |[一二三四五六七八九十]{1,3}、|Slide \d{1,3}[:.]", re.IGNORECASE)
BULLET = re.compile(r"[ \t]{0,12}(?:[-*•·]|\d{1,2}[.)])[ \t]")


def slide_split(doc_text: str, max_bullets: int = 6) -> dict:
    slides = []
    for line, text in enumerate(doc_text.split("\n"), 1):
        if HEADING.match(text):
            slides.append({"slide": len(slides) + 1, "line": line, "bullets": 0})
        elif slides and BULLET.match(text):
            slides[-1]["bullets"] += 1
    if not slides:
        raise ValueError("no slide found; a slide begins with a heading: #, 一、 or Slide 1:")
    crowded = [slide["slide"] for slide in slides if slide["bullets"] > max_bullets]
    empty = [slide["slide"] for slide in slides if slide["bullets"] == 0]
    return {"total": len(slides), "crowded": crowded, "empty": empty, "slides": slides}
