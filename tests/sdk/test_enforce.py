"""With `--enforce` a request that breaks the protocol is answered, and does not reach the server; nothing else changes."""

import json
import unittest

from raw import Http, Pipe
from support import audit, brief, findings_in, program, records
from test_proxy_mcp import Proxied
from test_tap import Tapped

LIBRARY = "mcp/2025-11-25"
TWICE = [("must", "request", "new_id")]


class Enforced:
    def converse(self, client):
        """An id that is used twice, between requests that are in order."""
        client.begin()
        self.assertIn("result", client.ask(2, "tools/list"))
        refused = client.ask(2, "tools/call", name="price", arguments={"article": "forbidden"})
        self.assertEqual(refused["error"]["code"], -32600)
        self.assertEqual(refused["error"]["data"], {"servanda": "new_id"})
        self.assertIn("not used twice", refused["error"]["message"])
        answer = client.ask(3, "tools/call", name="price", arguments={"article": "lamp"})
        self.assertEqual(answer["result"]["content"][0]["text"], "lamp costs 12 – no more")


class Tap(Enforced, Tapped):
    def test_a_request_that_breaks_the_protocol_is_answered(self):
        command = self.command(LIBRARY, program("shop.py", "stdio"), "--enforce")
        with open(self.folder / "errors", "wb") as errors, Pipe(command, errors) as client:
            self.converse(client)
            self.assertEqual(client.end(), 1)
        reached = (self.folder / "far.in").read_text()
        self.assertNotIn("forbidden", reached)
        self.assertIn("lamp", reached)
        self.check_findings(self.live(), self.folder / "tap.jsonl", LIBRARY, TWICE, "--after", "skip")

    def test_without_it_the_request_is_passed_on_and_found(self):
        command = self.command(LIBRARY, program("shop.py", "stdio"))
        with open(self.folder / "errors", "wb") as errors, Pipe(command, errors) as client:
            client.begin()
            client.ask(2, "tools/list")
            self.assertIn("result", client.ask(2, "tools/call", name="price", arguments={"article": "forbidden"}))
            self.assertEqual(client.end(), 1)
        self.assertIn("forbidden", (self.folder / "far.in").read_text())
        self.check_bytes()
        self.check_findings(self.live(), self.folder / "tap.jsonl", LIBRARY, TWICE)

    def test_what_is_merely_unwise_is_passed_on(self):
        command = self.command(LIBRARY, program("shop.py", "stdio"), "--enforce")
        with open(self.folder / "errors", "wb") as errors, Pipe(command, errors) as client:
            client.ask(7, "tools/list")
            client.begin()
            client.ask(8, "tools/list")
            client.end()
        self.check_bytes()
        self.assertEqual([(it["level"], it["code"]) for it in self.live()], [("should", "client_waits")])

    def test_a_log_that_goes_on_names_the_right_lines(self):
        for part in (1, 2):
            command = self.command(LIBRARY, program("shop.py", "stdio"), session=f"s{part}")
            with open(self.folder / f"errors{part}", "wb") as errors, Pipe(command, errors) as client:
                client.begin()
                client.ask(1, "ping")
        live = [it for part in (1, 2) for it in findings_in((self.folder / f"errors{part}").read_text())]
        log = records(self.folder / "tap.jsonl")
        _, later = audit(self.folder / "tap.jsonl", LIBRARY)
        self.assertEqual(list(map(brief, live)), list(map(brief, later)))
        for part, found in enumerate(live, 1):
            record = log[found["at"]["line"] - 1]
            self.assertEqual((record["session"], record["msg"]["method"]), (f"s{part}", "ping"))


class Proxy(Enforced, Proxied):
    def test_a_request_that_breaks_the_protocol_is_answered(self):
        async def talk(port):
            self.converse(Http(port, "/mcp"))

        server = lambda port: program("shop.py", port)
        _, far, proxy, status = self.between(server, LIBRARY, talk, "--enforce")
        reached = b"".join(request[1] for _, request, _ in far.exchanges()).decode()
        self.assertNotIn("forbidden", reached)
        self.assertIn("lamp", reached)
        options = ("--source", "http", "--after", "skip")
        self.check_findings(proxy.findings(), proxy.log, LIBRARY, TWICE, *options)
        self.assertEqual(status, 1)
        self.assertIn("forbidden", json.dumps(records(proxy.log)))


if __name__ == "__main__":
    unittest.main()
