"""An MCP server over pipes, of the standard library alone, that breaks the rule that its argument names."""

import json
import sys

RULE = sys.argv[1]
DONE = {"content": [{"type": "text", "text": "done"}], "isError": False}


def say(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def progress(token, value):
    say(method="notifications/progress", params={"progressToken": token, "progress": value, "total": 10})


def called(number, params):
    token = params.get("_meta", {}).get("progressToken", "none")
    if RULE == "progress-falls":
        progress(token, 3)
        progress(token, 2)
    if RULE == "unasked-progress":
        progress("nobody's", 1)
    if RULE == "noise":
        print("warming up", flush=True)
    if RULE == "answer-to-nothing":
        say(id=999, result=DONE)
    say(id=number, result=DONE)
    if RULE == "answers-twice":
        say(id=number, result=DONE)
    if RULE == "late-progress":
        progress(token, 9)


for line in sys.stdin:
    message = json.loads(line)
    number, method = message.get("id"), message.get("method")
    if method == "initialize":
        says = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
        say(id=number, result={**says, "serverInfo": {"name": "rude", "version": "1"}})
    elif method == "ping":
        say(id=number, result={})
    elif method == "tools/list":
        tool = {"name": "build", "inputSchema": {"type": "object"}}
        say(id=number, result={"tools": [tool]})
    elif method == "tools/call":
        called(number, message["params"])
    elif method and number is not None:
        say(id=number, error={"code": -32601, "message": "Method not found"})
