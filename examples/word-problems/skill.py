"""A skill that solves word problems: JSON-RPC 2.0 on stdin and stdout, one line per message.

Each kind of problem has a reader of its own. A question that none of them can read is an error, not a guess.
"""

import json
import sys

from arithmetic import read_chain
from calendars import read_clock, read_date, read_weekday
from puzzles import read_comparison, read_sequence, read_sorting

LONGEST_QUERY = 1000
READERS = (read_comparison, read_sequence, read_sorting, read_weekday, read_date, read_clock, read_chain)


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
        return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": {"result": result}})
    except json.JSONDecodeError as problem:
        return error(request_id, -32700, f"not JSON: {problem}")
    except Exception as problem:
        return error(request_id, -32000, str(problem) or type(problem).__name__)


def error(request_id, code, message):
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}})


def invoke(params):
    """The skill itself: the answer of the first reader that understands the question."""
    query = params.get("query")
    if not isinstance(query, str) or not query.strip() or len(query) > LONGEST_QUERY:
        raise ValueError(f"query must be a text of 1 to {LONGEST_QUERY} characters")
    for read in READERS:
        result = read(query)
        if result is not None:
            return result
    raise ValueError("this kind of question cannot be read")


if __name__ == "__main__":
    main()
