"""An agent over HTTP, of the standard library alone, that breaks the rule that a message names: `rude_agent.py PORT`."""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def task(state, number="t1"):
    return {"task": {"id": number, "contextId": "c1", "status": {"state": f"TASK_STATE_{state}"}}}


def status(state, number="t1", context="c1"):
    return {"statusUpdate": {"taskId": number, "contextId": context, "status": {"state": f"TASK_STATE_{state}"}}}


MESSAGE = {"message": {"messageId": "m", "role": "ROLE_AGENT", "parts": [{"text": "hello"}]}}
STREAMS = {
    "none": [task("SUBMITTED"), status("WORKING"), status("COMPLETED")],
    "headless": [status("WORKING"), status("COMPLETED")],
    "two-ends": [task("SUBMITTED"), status("COMPLETED"), status("FAILED")],
    "other-task": [task("SUBMITTED"), status("WORKING", "t2"), status("COMPLETED")],
    "other-context": [task("SUBMITTED"), status("WORKING", "t1", "c2"), status("COMPLETED")],
    "message-between": [task("SUBMITTED"), MESSAGE, status("COMPLETED")],
    "cut": [task("SUBMITTED"), status("WORKING")],
}


class Agent(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        rule = request["params"]["message"]["parts"][0]["text"]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for event in STREAMS[rule]:
            data = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": event})
            # Every way in which lines of events may end.
            self.wfile.write(f": next\r\nevent: message\ndata: {data}\r\n\n".encode())
            self.wfile.flush()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Agent).serve_forever()
