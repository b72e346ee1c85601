import { type NewSkill, type SkillFiles, sharedFiles } from "./shared-files.ts";

/** A skill that is one Python file. */
export function pythonScriptFiles(skill: NewSkill): SkillFiles {
  return {
    ...sharedFiles(skill, {
      type: "subprocess",
      entrypoint: "python3 skill.py",
      config: { timeoutMs: 30_000 },
      metadata: { lifecycle: "per-call" },
    }),
    "skill.py": pythonProgram,
  };
}

/** The same for every skill: names and descriptions never become code. */
export const pythonProgram = `"""A skill: one JSON-RPC 2.0 request per line on stdin, one response per line on stdout.

Works with one process per call and with one process for many calls. Standard library only.
Log to stderr; stdout is for responses.
"""

import json
import sys


def invoke(params):
    """Replace this with the logic of your skill."""
    return {"result": "You asked: " + str(params["query"])}


def failure(request_id, code, message):
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}


def answer(line):
    """The response to one request, as a line of JSON."""
    try:
        request = json.loads(line)
    except ValueError as error:
        return json.dumps(failure(None, -32700, "invalid JSON: " + str(error)))
    if not isinstance(request, dict):
        return json.dumps(failure(None, -32600, "a request must be an object"))
    request_id = request.get("id")
    if request.get("method") != "invoke":
        return json.dumps(failure(request_id, -32601, "unknown method: " + str(request.get("method"))))
    try:
        result = invoke(request.get("params") or {})
        return json.dumps({"jsonrpc": "2.0", "id": request_id, "result": result})
    except Exception as error:
        return json.dumps(failure(request_id, -32000, type(error).__name__ + ": " + str(error)))


def main():
    for line in sys.stdin.buffer:
        if line.strip():
            print(answer(line), flush=True)


if __name__ == "__main__":
    main()
`;
