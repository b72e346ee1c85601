"""A skill that looks facts up: JSON-RPC 2.0 on stdin and stdout, one line per message.

The facts stand in facts.json. A query is matched word by word; a rare word weighs more than a common one.
"""

import json
import math
import pathlib
import re
import sys

LONGEST_QUERY = 500
LEAST_COVERAGE = 0.5  # share of the weight of the query that a fact has to cover
TITLE_BONUS = 0.5
FILLER = set(
    "a an and are at by did do does for how in is it of on or the to "
    "was were what when where which who whose why".split()
)
ENDINGS = ("ations", "ation", "ators", "ator", "ings", "ing", "ors", "or", "ers", "er", "ed", "es", "s", "e")


def main():
    sys.stdin.reconfigure(encoding="utf-8")
    sys.stdout.reconfigure(encoding="utf-8")
    for line in sys.stdin:
        if line.strip():
            print(answer(line), flush=True)


def answer(line):
    """Turns one request line into one response line. Never raises."""
    request_id = None
    try:
        request = json.loads(line)
        if not isinstance(request, dict):
            return error(None, -32600, "a request is a JSON object")
        request_id = request.get("id")
        if request.get("method") != "invoke":
            return error(request_id, -32601, f"unknown method {request.get('method')!r}")
        result = invoke(request.get("params") or {})
        return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result})
    except json.JSONDecodeError as problem:
        return error(request_id, -32700, f"not JSON: {problem}")
    except Exception as problem:
        return error(request_id, -32000, str(problem) or type(problem).__name__)


def error(request_id, code, message):
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


def invoke(params):
    """The skill itself: the fact that covers most of the query."""
    query = params.get("query")
    if not isinstance(query, str) or not query.strip() or len(query) > LONGEST_QUERY:
        raise ValueError(f"query must be a text of 1 to {LONGEST_QUERY} characters")
    facts = json.loads(pathlib.Path(__file__).with_name("facts.json").read_text(encoding="utf-8"))
    found = best_fact(stems(query), facts)
    if found is None:
        raise LookupError("no fact in the collection fits the query")
    return {"result": found["text"], "source": found["source"]}


def best_fact(wanted, facts):
    """The fact with the highest score, or None where even that covers too little."""
    pages = [(stems(fact["title"]), stems(fact["title"] + " " + fact["text"])) for fact in facts]
    weight = {stem: rarity(stem, pages) for stem in wanted}
    whole = sum(weight.values())
    best, best_score = None, 0.0
    for fact, (title, words) in zip(facts, pages):
        covered = sum(weight[stem] for stem in wanted & words)
        if not wanted or covered < LEAST_COVERAGE * whole:
            continue
        # Words of the title say what a fact is about; a title that asks for more than the query does is less apt.
        in_title = sum(weight[stem] for stem in wanted & title)
        score = covered + TITLE_BONUS * in_title + TITLE_BONUS * len(wanted & title) / len(title)
        if score > best_score:
            best, best_score = fact, score
    return best


def rarity(stem, pages):
    return math.log(1 + len(pages) / (1 + sum(stem in words for _, words in pages)))


def stems(text):
    """The words of a text without fillers and endings, so that `creator` meets `created`."""
    words = re.findall(r"[^\W_]+", text.lower())
    return {stem(word) for word in words if word not in FILLER}


def stem(word):
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


if __name__ == "__main__":
    main()
