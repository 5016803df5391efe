"""The SDK for MCP over HTTP through `servanda proxy`: bodies and events are the same on both sides."""

import unittest

import httpx2
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from shopping import choose, shopping
from support import Case, Proxy, free_port, listens, program, records, running, wait_until
from wire import Recorder

SECRET = "Bearer very-secret-token"


class Proxied(Case):
    """Client, recorder, proxy, recorder, server."""

    def between(self, server, library, talk, *options):
        """Runs a conversation; the recorders and the proxy, at their ends."""
        port = free_port()
        said = self.enterContext(open(self.folder / "server.log", "wb"))
        with running(server(port), stdout=said, stderr=said):
            wait_until(lambda: listens(port), f"{server(port)} listens")
            with Recorder(port) as far, Proxy(self.folder, far.port, library, *options) as proxy:
                with Recorder(proxy.port) as near:
                    self.run_async(talk(near.port))
                status = proxy.end()
        return near, far, proxy, status

    def check_bytes(self, near, far):
        """Requests are the same, and answers; what a client left early the proxy may have had more of."""
        asked, passed = near.exchanges(), far.exchanges()
        self.assertEqual(len(asked), len(passed))
        for (first, request, answer), (far_first, far_request, far_answer) in zip(asked, passed):
            self.assertEqual(first, far_first)
            self.assertEqual(request, far_request)
            if answer is None or far_answer is None or not answer[3]:
                body, far_body = (it[2] if it else b"" for it in (answer, far_answer))
                self.assertEqual(body, far_body[: len(body)])
            else:
                self.assertEqual(answer, far_answer)
        return asked

    def check_log(self, log, asked):
        """Every body and every event is in the log, as it was written; secrets are not."""
        text = log.read_text()
        self.assertNotIn("very-secret-token", text)
        for _, (_, body), answer in asked:
            for part in [body] + (list(parts(answer)) if answer else []):
                if part.strip():
                    self.assertIn(f'"msg":{part.decode()}}}', text)


def parts(answer):
    """The body of an answer, or the data of each of its events."""
    _, headers, body, _ = answer
    kind = dict(headers).get(b"content-type", b"")
    if kind.startswith(b"text/event-stream"):
        for event in body.replace(b"\r\n", b"\n").split(b"\n\n")[:-1]:
            lines = [line[5:].lstrip() for line in event.split(b"\n") if line.startswith(b"data:")]
            yield b"\n".join(lines)
    elif kind.startswith(b"application/json"):
        yield body


class GoodConversations(Proxied):
    def check(self, mode, library, expected):
        async def talk(port):
            headers = {"Authorization": SECRET, "Cookie": "very-secret-token"}
            async with httpx2.AsyncClient(headers=headers, timeout=30) as http:
                transport = streamable_http_client(f"http://127.0.0.1:{port}/mcp", http_client=http)
                async with Client(transport, mode=mode, elicitation_callback=choose) as client:
                    await shopping(client)

        near, far, proxy, status = self.between(lambda port: program("shop.py", port), library, talk)
        asked = self.check_bytes(near, far)
        self.assertTrue(any(header == (b"authorization", SECRET.encode()) for it in asked for header in it[1][0]))
        self.check_log(proxy.log, asked)
        self.check_findings(proxy.findings(), proxy.log, library, expected, "--source", "http")
        self.assertEqual(status, 1 if expected else 0)
        self.assertTrue(any(record.get("http", {}).get("sse") for record in records(proxy.log)))

    def test_with_a_handshake(self):
        # Over HTTP the SDK answers a cancelled request with an error, so that its stream ends; it should not.
        self.check("legacy", "mcp/2025-11-25", [("should", "request", "quiet_when_cancelled")])

    def test_without_a_handshake(self):
        self.check("2026-07-28", "mcp/2026-07-28", [])


if __name__ == "__main__":
    unittest.main()
