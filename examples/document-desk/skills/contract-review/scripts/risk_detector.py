"""Finds clauses that put one side at a disadvantage, by their words and by the daily rate of a penalty."""

import re

from clauses import clauses_of, line_of

RULES = {
    "renewal": r"自动续期|自动续约|自动顺延|automatically renew",
    "refund": r"概不退还|不予退还|non-refundable",
    "penalty": r"(?:每日|每天|一日|一天)[^\n。；;]{0,20}?(\d{1,3}(?:\.\d{1,4})?)([%％‰])|(\d{1,3}(?:\.\d{1,4})?)(%|‰) per day",
    "liability": r"不承担任何责任|概不负责|无限连带责任|unlimited liability",
    "unilateral": r"有权随时|单方解除|单方变更|最终解释权|sole discretion",
    "forum": r"[甲乙]方所在地",
}
HIGHEST_DAILY_PERCENT = 0.1


def risk_detector(doc_text: str, kinds: list = None, max_results: int = 5) -> dict:
    risks = []
    for clause in clauses_of(doc_text):
        for kind, rule in RULES.items():
            if kinds is not None and kind not in kinds:
                continue
            place = first_place(re.compile(rule, re.IGNORECASE), doc_text, clause)
            if place is not None:
                start, end = place
                line = line_of(doc_text, start)
                risks.append({"clause": clause.number, "kind": kind, "line": line, "start": start, "end": end})
    risks.sort(key=lambda risk: risk["start"])
    by_kind = {kind: sum(risk["kind"] == kind for risk in risks) for kind in sorted({risk["kind"] for risk in risks})}
    return {"total": len(risks), "by_kind": by_kind, "risks": risks[:max_results]}


def first_place(rule, doc_text: str, clause):
    """Where a clause breaks a rule first; one place is enough to look at. A low daily rate breaks none."""
    for match in rule.finditer(doc_text, clause.start, clause.end):
        if match.re.groups == 0 or daily_percent(match) > HIGHEST_DAILY_PERCENT:
            return match.span()
    return None


def daily_percent(match) -> float:
    number, unit = match[1] or match[3], match[2] or match[4]
    return float(number) / (10 if unit == "‰" else 1)
