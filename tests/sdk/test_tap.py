"""The SDK for MCP through `servanda tap`: nothing changes on the way, nothing is found that is not there."""

import unittest

from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from shopping import choose, ignore, shopping
from support import Case, findings_in, program, records, servanda


class Tapped(Case):
    """Client, recorder, tap, recorder, server."""

    def command(self, library, server, *options, session="s1"):
        tap = [servanda(), "tap", "--library", library, "--log", str(self.folder / "tap.jsonl")]
        tap += ["--format", "jsonl", "--session", session, *options, "--"]
        return program("pipes.py", self.folder / "near", *tap, *program("pipes.py", self.folder / "far", *server))

    def talk(self, command, mode, conversation):
        async def main():
            with open(self.folder / "errors", "w") as errors:
                server = StdioServerParameters(command=command[0], args=command[1:])
                transport = stdio_client(server, errlog=errors)
                async with Client(transport, mode=mode, elicitation_callback=choose) as client:
                    await conversation(client)

        self.run_async(main())

    def live(self):
        return findings_in((self.folder / "errors").read_text())

    def check_bytes(self):
        for way in ("in", "out"):
            near, far = ((self.folder / f"{end}.{way}").read_bytes() for end in ("near", "far"))
            self.assertEqual(near, far, way)
            self.assertGreater(len(near), 0, way)

    def check_status(self, expected):
        """Unless the SDK lost patience first: on a busy machine it ends its server after two seconds."""
        status = self.folder / "near.status"
        if status.exists():
            self.assertEqual(status.read_text(), expected)

    def check_log(self):
        """The log has what passed, in both directions and in order."""
        of = {"client": "in", "server": "out"}
        log = (self.folder / "tap.jsonl").read_text().rstrip("\n").split("\n")
        for side, way in of.items():
            lines = (self.folder / f"far.{way}").read_text().rstrip("\n").split("\n")
            logged = [line for line in log if f'"from":"{side}"' in line and '"eof":true' not in line]
            self.assertEqual(len(lines), len(logged))
            for line, record in zip(lines, logged):
                self.assertTrue(record.endswith(f'"msg":{line}}}'), record)


class GoodConversations(Tapped):
    def check(self, mode, library, conversation):
        self.talk(self.command(library, program("shop.py", "stdio")), mode, conversation)
        self.check_bytes()
        self.check_log()
        self.check_findings(self.live(), self.folder / "tap.jsonl", library, [])
        self.check_status("0")

    def test_with_a_handshake(self):
        async def conversation(client):
            self.assertEqual(client.protocol_version, "2025-11-25")
            await client.send_ping()
            await shopping(client)

        self.check("legacy", "mcp/2025-11-25", conversation)
        asked = [it["msg"]["method"] for it in records(self.folder / "tap.jsonl") if "method" in it.get("msg", {})]
        for method in ("initialize", "notifications/progress", "elicitation/create", "notifications/cancelled"):
            self.assertIn(method, asked)

    def test_without_a_handshake(self):
        self.check("2026-07-28", "mcp/2026-07-28", shopping)
        results = [it["msg"]["result"] for it in records(self.folder / "tap.jsonl") if "result" in it.get("msg", {})]
        self.assertEqual([it["resultType"] for it in results].count("input_required"), 1)


class RudeServers(Tapped):
    """A server that breaks a rule is found out, while the client is the SDK."""

    NOT_POSSIBLE = {
        "progress-falls": "request",
        "unasked-progress": "session",
        "noise": "session",
        "answer-to-nothing": "request",
        "answers-twice": "request",
        "late-progress": "request",
    }

    def test_each_rule(self):
        async def conversation(client):
            await client.list_tools()
            await client.call_tool("build", {}, progress_callback=ignore)
            await client.send_ping()

        for rule, view in self.NOT_POSSIBLE.items():
            with self.subTest(rule):
                (self.folder / "tap.jsonl").unlink(missing_ok=True)
                library = "mcp/2025-11-25"
                self.talk(self.command(library, program("rude_server.py", rule)), "legacy", conversation)
                self.check_bytes()
                expected = [("must", view, "not-possible")]
                self.check_findings(self.live(), self.folder / "tap.jsonl", library, expected)
                self.check_status("1")

    def test_a_server_that_keeps_the_rules(self):
        async def conversation(client):
            await client.call_tool("build", {})

        self.talk(self.command("mcp/2025-11-25", program("rude_server.py", "none")), "legacy", conversation)
        self.check_bytes()
        self.check_findings(self.live(), self.folder / "tap.jsonl", "mcp/2025-11-25", [])


if __name__ == "__main__":
    unittest.main()
