"""Finds what somebody has to do: checkboxes, and lines that begin with ACTION, TODO or 待办."""

import re

BOX = re.compile(r"[ \t]{0,20}[-*] \[([ xX])\] ")
LABEL = re.compile(r"[ \t]{0,20}(?:[-*] )?(?:ACTION|TODO|待办|行动项)[ ]?[:：][ ]?", re.IGNORECASE)
OWNER = re.compile(r"@(\w{1,60})|([A-Z]\w{0,60}|[\u4e00-\u9fff]{2,4}?)(?: will |[:：]|负责)")
DUE = re.compile(
    r"\d{4}-\d{2}-\d{2}|(?<=by )(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|周[一二三四五六日](?=前)|\d{1,2}月\d{1,2}日(?=前)"
)


def action_items(doc_text: str, owner: str = None, state: str = "all") -> dict:
    if not doc_text.strip():
        raise ValueError("the notes are blank")
    items = [item for item in items_of(doc_text) if is_wanted(item, owner, state)]
    unassigned = sum(item["owner"] is None for item in items)
    return {"count": len(items), "unassigned": unassigned, "items": items}


def is_wanted(item: dict, owner: str, state: str) -> bool:
    is_theirs = owner is None or (item["owner"] or "").lower() == owner.strip().lower()
    return is_theirs and (state == "all" or item["done"] == (state == "done"))


def items_of(doc_text: str) -> list:
    items = []
    for line, text in enumerate(doc_text.split("\n"), 1):
        box = BOX.match(text)
        head = box or LABEL.match(text)
        if head is None:
            continue
        task = text[head.end() :]
        who = OWNER.match(task)
        due = DUE.search(task)
        items.append(
            {
                "line": line,
                "owner": (who[1] or who[2]) if who else None,
                "due": due[0] if due else None,
                "done": box is not None and box[1] in "xX",
            }
        )
    return items
