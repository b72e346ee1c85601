"""Finds the clauses about a topic: its own words, and others that mean the same in a contract."""

from clauses import clauses_of

SAME = (
    ("付款", "支付", "价款", "租金", "payment"),
    ("期限", "有效期", "term of"),
    ("解除", "终止", "terminate", "termination"),
    ("违约", "逾期", "breach"),
    ("保密", "confidential"),
    ("争议", "管辖", "仲裁", "dispute", "arbitration"),
)


def clause_finder(doc_text: str, topic: str) -> dict:
    word = topic.strip().lower()
    if not word:
        raise ValueError("topic is blank")
    words = next((group for group in SAME if word in group), (word,))
    found = []
    for clause in clauses_of(doc_text):
        text = doc_text[clause.start : clause.end].lower()
        if any(each in text for each in words):
            where = "title" if any(each in clause.title.lower() for each in words) else "text"
            place = {"clause": clause.number, "where": where, "line": clause.line}
            found.append({**place, "start": clause.start, "end": clause.end})
    return {"found": len(found), "clauses": found}
