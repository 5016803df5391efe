"""Clients that say what they are told to, for what the SDKs would not say."""

import http.client
import json
import subprocess

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}


class Pipe:
    """Talks to a command over its standard streams, a message per line."""

    def __init__(self, command, errors=None):
        self.child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self):
        """Says goodbye; the exit status."""
        if not self.child.stdin.closed:
            self.child.stdin.close()
        try:
            return self.child.wait(30)
        except subprocess.TimeoutExpired:
            self.child.kill()
            raise
        finally:
            self.child.stdout.close()

    def say(self, **message):
        self.child.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.child.stdin.flush()

    def ask(self, number, method, **params):
        """Asks, and waits for the answer."""
        self.say(id=number, method=method, params=params)
        while line := self.child.stdout.readline():
            message = json.loads(line)
            if message.get("id") == number and "method" not in message:
                return message
        raise AssertionError(f"no answer to {method}")

    def begin(self):
        self.ask(1, "initialize", **INITIALIZE)
        self.say(method="notifications/initialized")


class Http:
    """Talks to a port of loopback, a message per request; headers that come back as a session are given back."""

    def __init__(self, port, path, **headers):
        self.port, self.path = port, path
        self.headers = {"content-type": "application/json", "accept": "application/json, text/event-stream", **headers}

    def post(self, message):
        """The status and every message of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("POST", self.path, json.dumps({"jsonrpc": "2.0", **message}), self.headers)
            answer = connection.getresponse()
            session = answer.getheader("mcp-session-id")
            if session:
                self.headers["mcp-session-id"] = session
            body = answer.read().decode()
        finally:
            connection.close()
        if answer.getheader("content-type", "").startswith("text/event-stream"):
            data = [line[5:].strip() for line in body.split("\n") if line.startswith("data:")]
            return answer.status, [json.loads(it) for it in data if it]
        return answer.status, [json.loads(body)] if body.strip() else []

    def ask(self, number, method, **params):
        status, messages = self.post({"id": number, "method": method, "params": params})
        found = [it for it in messages if it.get("id") == number and "method" not in it]
        assert status == 200 and found, (status, messages)
        return found[0]

    def begin(self):
        self.ask(1, "initialize", **INITIALIZE)
        self.headers["mcp-protocol-version"] = "2025-11-25"
        self.post({"method": "notifications/initialized"})
