"""Finds what a schema cannot see in a plan: ids used twice, blank texts, blocks inside blocks inside blocks."""

DEEPEST = 3


def plan_check(plan: dict) -> dict:
    operations, problems, seen = {}, [], {}
    for pointer, action, depth in actions_in(plan["actions"], "/actions", 1):
        operations[action["op"]] = operations.get(action["op"], 0) + 1
        first = seen.setdefault(action["id"], pointer)
        if first != pointer:
            problems.append({"pointer": f"{pointer}/id", "reason": f"same id as {first}"})
        if isinstance(action.get("text"), str) and not action["text"].strip():
            problems.append({"pointer": f"{pointer}/text", "reason": "blank"})
        if depth > DEEPEST:
            problems.append({"pointer": pointer, "reason": f"nested deeper than {DEEPEST}"})
    return {"actions": sum(operations.values()), "operations": operations, "problems": problems}


def actions_in(actions: list, pointer: str, depth: int):
    """Every action with its pointer and depth, those inside blocks after their block."""
    for index, action in enumerate(actions):
        here = f"{pointer}/{index}"
        if not isinstance(action, dict) or not {"id", "op"} <= action.keys():
            raise ValueError(f"{here} is no action: it needs id and op")
        yield here, action, depth
        yield from actions_in(action.get("actions", []), f"{here}/actions", depth + 1)
