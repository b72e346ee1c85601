"""Makes a slug of a title: JSON-RPC 2.0 on stdin and stdout, one line per message."""

import json
import re
import sys


def invoke(params):
    return {"result": "-".join(re.findall("[a-z0-9]+", params["title"].lower()))}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": invoke(request["params"])}
    print(json.dumps(answer), flush=True)
