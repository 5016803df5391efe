"""`servanda mcp`, driven by the SDK for MCP: over pipes and over HTTP, with a handshake and without, recorded and judged by our own auditor."""

import asyncio
import contextlib
import os
import pathlib
import signal
import subprocess
import time
import unittest

import anyio
import httpx2
import mcp_types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from support import PATIENCE, Case, Proxy, findings_in, records, servanda

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent.parent / "examples"
TOKEN = "a-token-for-these-tests"

ORDER = """\
protocol Order
roles Cus, Mer
commitment pay = SC(Cus, Mer, F in done)
start idle
idle -- Cr(Cus, pay)  --> owed
owed -- Sat(Cus, pay) --> done
owed -- Wit(Cus, pay) --> idle
done -- Mer: thank    --> done
property promised expect true = AG (in owed -> SC(Cus, Mer, F in done))
property always_paid = AG (in owed -> AF in done)
"""

# So many states that they are not all seen in the time of a test.
LARGE = """\
protocol Large
param N = 12
roles Ann
var x[1..N] : 0..9 = 0
start s
for i in 1..N {
  s -- Ann: up[i] when x[i] < 9 set x[i] = x[i] + 1 --> s
}
property low = AG x[1] < 10
"""
LONG = {"model": LARGE, "engine": "enumerate", "timeout": 100}

# Tool, arguments, status, and a word of the answer: what makes sense, and what does not.
CALLS = [
    ("check", {"file": "netbill.pact"}, "ok", "8 as wanted"),
    ("check", {"model": ORDER}, "failed", "always_paid"),
    ("check", {"model": ORDER.replace("pay)  -->", "pya)  -->")}, "invalid", "did you mean `pay`?"),
    ("check", {"modle": ORDER}, "invalid", "did you mean `model`?"),
    ("explain", {"model": ORDER, "property": "always_paid"}, "ok", "repeats for ever"),
    ("explain", {"model": ORDER, "property": "always_pay"}, "invalid", "always_paid"),
    ("simulate", {"model": ORDER, "take": ["Cr(Cus, pay)"], "random": 3, "seed": 1}, "ok", "4 steps"),
    ("simulate", {"model": ORDER, "take": ["Sat(Cus, pay)"]}, "invalid", "cannot happen here"),
    ("format", {"model": ORDER}, "ok", "standard form"),
    ("format", {"model": "protocol"}, "invalid", "error"),
    ("audit", {"log": "", "library": "mcp/2025-11-25"}, "undecided", "nothing was judged"),
    ("audit", {"log": "", "library": "mcp"}, "invalid", "mcp/2025-11-25"),
    ("describe_error", {"code": "unknown-name"}, "ok", "unknown-name"),
    ("describe_error", {"code": "unknown-nam"}, "invalid", "did you mean `unknown-name`?"),
]


def command(*options):
    return [servanda(), "mcp", "--within", str(EXAMPLES), *options]


def jobs():
    """The jobs of the program that run, as the system tells it."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError):
            words = (entry / "cmdline").read_bytes().split(b"\0")
            if words[0] == os.fsencode(os.path.realpath(servanda())) and words[1:2] == [b"job"]:
                found.append(int(entry.name))
    return found


class Conversation:
    """A bit of everything, with what is expected of the answers."""

    def __init__(self, case):
        self.case = case

    async def hold(self, client):
        await self.lists(client)
        for name, arguments, status, word in CALLS:
            with self.case.subTest(tool=name, arguments=arguments):
                await self.call(client, name, arguments, status, word)
        await self.cancelled(client)
        async with anyio.create_task_group() as together:
            for _ in range(6):
                together.start_soon(self.call, client, "check", {"file": "netbill.pact"}, "ok", "")
        with self.case.assertRaises(MCPError):
            await client.call_tool("bake", {})

    async def lists(self, client):
        tools = (await client.list_tools()).tools
        names = [tool.name for tool in tools]
        self.case.assertEqual(names, ["check", "explain", "simulate", "format", "audit", "describe_error"])
        for tool in tools:
            self.case.assertTrue(tool.input_schema and tool.output_schema and tool.description, tool.name)
        resources = (await client.list_resources()).resources
        uris = [str(it.uri) for it in resources]
        for uri in ("servanda://docs/pact.md", "servanda://examples/netbill.pact", "servanda://library/mcp/2025-11-25"):
            self.case.assertIn(uri, uris)
            read = await client.read_resource(uri)
            self.case.assertGreater(len(read.contents[0].text), 100)
        templates = (await client.list_resource_templates()).resource_templates
        self.case.assertIn("servanda://errors/{code}", [it.uri_template for it in templates])
        reference = mcp_types.ResourceTemplateReference(uri="servanda://errors/{code}")
        completed = await client.complete(reference, {"name": "code", "value": "unknown-n"})
        self.case.assertIn("unknown-name", completed.completion.values)
        prompts = (await client.list_prompts()).prompts
        self.case.assertEqual([it.name for it in prompts], ["model_this_api", "why_does_this_fail"])
        got = await client.get_prompt("model_this_api", {"api": "POST /orders"})
        self.case.assertIn("POST /orders", got.messages[0].content.text)
        with self.case.assertRaises(MCPError):
            await client.get_prompt("model_this_api", {})

    async def call(self, client, name, arguments, status, word):
        result = await client.call_tool(name, arguments)
        self.case.assertEqual(result.structured_content["status"], status, result)
        self.case.assertEqual(bool(result.is_error), status == "invalid", result)
        text = result.content[0].text
        self.case.assertIn(word, text)
        self.case.assertLessEqual(len(text.split("\n")), 62, text)

    async def cancelled(self, client):
        """Progress arrives; who waits no longer ends the process."""
        told = []

        async def progress(done, total, message):
            told.append((done, message))

        before = set(jobs())
        async with anyio.create_task_group() as group:
            group.start_soon(lambda: client.call_tool("check", LONG, progress_callback=progress))
            with anyio.fail_after(PATIENCE):
                while len(told) < 2:
                    await asyncio.sleep(0.02)
            mine = set(jobs()) - before
            self.case.assertEqual(len(mine), 1)
            group.cancel_scope.cancel()
        since = time.monotonic()
        with anyio.fail_after(PATIENCE):
            while mine & set(jobs()):
                await asyncio.sleep(0.02)
        self.case.assertLess(time.monotonic() - since, 5, "the process ends soon")
        self.case.assertTrue(all("states" in message for _, message in told), told)
        self.case.assertEqual([done for done, _ in told], sorted({done for done, _ in told}))


class OverPipes(Case):
    def check(self, mode, library):
        log = self.folder / "tap.jsonl"
        tap = [servanda(), "tap", "--library", library, "--log", str(log), "--format", "jsonl", "--", *command()]

        async def main():
            with open(self.folder / "errors", "w") as errors:
                server = StdioServerParameters(command=tap[0], args=tap[1:])
                async with Client(stdio_client(server, errlog=errors), mode=mode) as client:
                    await Conversation(self).hold(client)

        self.run_async(main())
        said = (self.folder / "errors").read_text()
        self.check_findings(findings_in(said), log, library, [])
        asked = [it["msg"]["method"] for it in records(log) if "method" in it.get("msg", {})]
        for method in ("tools/call", "notifications/progress", "notifications/cancelled"):
            self.assertIn(method, asked)

    def test_with_a_handshake(self):
        self.check("legacy", "mcp/2025-11-25")

    def test_without_a_handshake(self):
        self.check("2026-07-28", "mcp/2026-07-28")


class OverHttp(Case):
    @contextlib.contextmanager
    def served(self):
        environment = {**os.environ, "SERVANDA_MCP_TOKEN": TOKEN}
        errors = self.enterContext(open(self.folder / "server.err", "wb"))
        child = subprocess.Popen(command("--http", "127.0.0.1:0"), env=environment, stdout=subprocess.PIPE, stderr=errors)
        try:
            address = child.stdout.readline().decode().strip()
            yield int(address.rsplit(":", 1)[1].removesuffix("/mcp"))
            child.send_signal(signal.SIGINT)
            self.assertEqual(child.wait(PATIENCE), 0)
        finally:
            child.kill()
            child.wait()
            child.stdout.close()

    def check(self, mode, library, expected):
        async def talk(port):
            headers = {"Authorization": f"Bearer {TOKEN}"}
            async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
                transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
                async with Client(transport, mode=mode) as client:
                    await Conversation(self).hold(client)

        with self.served() as port, Proxy(self.folder, port, library) as proxy:
            self.run_async(talk(proxy.port))
            proxy.end()
        self.assertNotIn(TOKEN, proxy.log.read_text())
        self.check_findings(proxy.findings(), proxy.log, library, expected, "--source", "http")

    def test_with_a_handshake(self):
        self.check("legacy", "mcp/2025-11-25", [])

    def test_without_a_handshake(self):
        self.check("2026-07-28", "mcp/2026-07-28", [])

    def test_without_the_token(self):
        async def talk(port):
            transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp")
            async with Client(transport, mode="legacy") as client:
                await client.list_tools()

        with self.served() as port, self.assertRaises(BaseException):
            self.run_async(talk(port))


if __name__ == "__main__":
    unittest.main()
