"""Makes a slug of a title: JSON-RPC 2.0 on stdin and stdout, one line per message."""

import json
import re
import sys
import unicodedata


def invoke(params):
    # NFKD separates accents from their letters, so that they can be dropped.
    text = unicodedata.normalize("NFKD", params["title"].lower())
    plain = "".join(character for character in text if not unicodedata.combining(character))
    return {"result": "-".join(re.findall("[a-z0-9]+", plain))}


for line in sys.stdin:
    request = json.loads(line)
    answer = {"jsonrpc": "2.0", "id": request["id"], "result": invoke(request["params"])}
    print(json.dumps(answer), flush=True)
