"""A calculator skill: JSON-RPC 2.0 on stdin and stdout, one line per message.

It answers one request and ends when stdin is closed (per-call), or answers many (persistent).
"""

import ast
import json
import math
import operator
import re
import sys

LONGEST_EXPRESSION = 1000
LARGEST_FACTORIAL = 170

BINARY = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
UNARY = {ast.UAdd: operator.pos, ast.USub: operator.neg}


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
    """The skill itself: an expression, or an operation on a text."""
    if "expression" in params:
        return compute(params["expression"])
    operation, text = params.get("operation"), params.get("input")
    if not isinstance(text, str):
        raise ValueError("expression, or operation and input, must be given")
    if operation == "reverse":
        return text[::-1]
    if operation == "is_palindrome":
        return text == text[::-1]
    raise ValueError(f"unknown operation {operation!r}")


def compute(expression):
    """Computes + - * / ! and parentheses. The expression is parsed and walked, never run."""
    if not isinstance(expression, str) or len(expression) > LONGEST_EXPRESSION:
        raise ValueError(f"expression must be a string of at most {LONGEST_EXPRESSION} characters")
    try:
        tree = ast.parse(spell_out_factorials(expression).strip(), mode="eval")
    except SyntaxError:
        raise ValueError("expression cannot be read") from None
    value = value_of(tree.body)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("result is not a finite number")
    return int(value) if isinstance(value, float) and value.is_integer() else value


def spell_out_factorials(text):
    """Python has no `5!`; write it as the call `factorial(5)`."""
    text = re.sub(r"\s+!", "!", text)
    while "!" in text:
        end = text.index("!")
        start = start_of_operand(text, end)
        text = f"{text[:start]}factorial({text[start:end]}){text[end + 1:]}"
    return text


def start_of_operand(text, end):
    """Where the number, call or parenthesis that ends at `end` begins."""
    start, depth = end, 0
    while start > 0:
        char = text[start - 1]
        if char == ")":
            depth += 1
        elif char == "(":
            depth -= 1
        if depth < 0 or (depth == 0 and not (char.isalnum() or char in "(.")):
            break
        start -= 1
    return start


def value_of(node):
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in BINARY:
        return BINARY[type(node.op)](value_of(node.left), value_of(node.right))
    if isinstance(node, ast.UnaryOp) and type(node.op) in UNARY:
        return UNARY[type(node.op)](value_of(node.operand))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "factorial":
        return factorial_of(node.args)
    raise ValueError("only numbers, + - * / ! and parentheses are allowed")


def factorial_of(arguments):
    value = value_of(arguments[0]) if len(arguments) == 1 else None
    if not isinstance(value, int) or not 0 <= value <= LARGEST_FACTORIAL:
        raise ValueError(f"factorial needs a whole number from 0 to {LARGEST_FACTORIAL}")
    return math.factorial(value)


if __name__ == "__main__":
    main()
