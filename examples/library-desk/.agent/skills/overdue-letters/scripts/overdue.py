"""Works out what is overdue: overdue.py <loans.csv> <day> <result.json>"""

import csv
import json
import pathlib
import sys
from datetime import date

# Cents, so that sums are exact: a day, and the most that is asked for.
FINES = {"book": (10, 500), "film": (50, 1000), "childrens": (0, 0)}


def main(loans, day, result):
    today = date.fromisoformat(day)
    readers = {}
    with open(loans, encoding="utf-8", newline="") as file:
        for loan in csv.DictReader(file):
            days = (today - date.fromisoformat(loan["due"])).days
            if days <= 0:
                continue
            per_day, most = FINES[loan["kind"]]
            item = {"title": loan["title"], "days": days, "cents": min(days * per_day, most)}
            readers.setdefault(loan["reader"], []).append(item)
    overdue = [
        {"reader": reader, "items": items, "cents": sum(item["cents"] for item in items)}
        for reader, items in sorted(readers.items())
    ]
    target = pathlib.Path(result)
    target.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"day": day, "overdue": overdue}, ensure_ascii=False, indent=2)
    target.write_text(text + "\n", encoding="utf-8")
    owed = sum(entry["cents"] for entry in overdue)
    print(f"{len(overdue)} readers, {owed / 100:.2f} owed, written to {result}")


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
