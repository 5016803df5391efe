"""The SDK for A2A through `servanda proxy`."""

import asyncio
import contextlib
import unittest
import uuid

import httpx
from a2a.client.client import ClientConfig
from a2a.client.client_factory import ClientFactory
from a2a.types import (
    AgentCard,
    AgentInterface,
    CancelTaskRequest,
    GetTaskRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    SubscribeToTaskRequest,
)

from raw import Http
from support import program, records
from test_proxy_mcp import SECRET, Proxied


def card(port, version):
    """An agent as its clients know it."""
    url = f"http://127.0.0.1:{port}/rpc"
    interface = AgentInterface(protocol_binding="JSONRPC", protocol_version=version, url=url)
    it = AgentCard(name="Painter", description="paints", version="1", supported_interfaces=[interface])
    it.capabilities.streaming = True
    return it


def message(text, task=None):
    it = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[Part(text=text)])
    if task:
        it.task_id, it.context_id = task.id, task.context_id
    return SendMessageRequest(message=it)


async def send(client, text, task=None):
    """Sends a message and hears the answer to its end: the task, if there is one."""
    async for event in client.send_message(message(text, task)):
        if event.HasField("task"):
            task = event.task
    return task


async def painting(streaming, once):
    """A bit of everything. Answers come in parts, and then at once, over two clients of the same agent."""
    await send(streaming, "greet")
    await send(streaming, "paint the wall")
    asked = await send(streaming, "ask me")
    await send(streaming, "paint it green", asked)
    await send(streaming, "fail")
    await send(once, "greet")
    done = await send(once, "paint the door")
    await once.get_task(GetTaskRequest(id=done.id))
    with contextlib.suppress(Exception):
        await once.cancel_task(CancelTaskRequest(id=done.id))
        raise AssertionError("a task that is over was cancelled")
    begun = asyncio.Event()
    seen = {}

    async def dry():
        async for event in streaming.send_message(message("dry")):
            if event.HasField("task"):
                seen["task"] = event.task
                begun.set()

    drying = asyncio.create_task(dry())
    await begun.wait()

    async def watch():
        async for _ in streaming.subscribe(SubscribeToTaskRequest(id=seen["task"].id)):
            pass

    watching = asyncio.create_task(watch())
    await asyncio.sleep(0.2)
    await once.cancel_task(CancelTaskRequest(id=seen["task"].id))
    await asyncio.gather(drying, watching)


async def curtly(streaming, _):
    """The SDK does not begin a stream with a task that is known already, unless the agent does."""
    asked = await send(streaming, "ask me")
    await send(streaming, "curtly paint it green", asked)


class Conversations(Proxied):
    def check(self, version, library, conversation, expected):
        async def talk(port):
            headers = {"Authorization": SECRET}
            async with httpx.AsyncClient(headers=headers, timeout=30) as http:
                clients = []
                for streaming in (True, False):
                    factory = ClientFactory(ClientConfig(streaming=streaming, httpx_client=http))
                    clients.append(factory.create(card(port, version)))
                await conversation(*clients)

        near, far, proxy, status = self.between(lambda port: program("agent.py", port, port), library, talk)
        asked = self.check_bytes(near, far)
        self.check_log(proxy.log, asked)
        self.check_findings(proxy.findings(), proxy.log, library, expected)
        self.assertEqual(status, 1 if expected else 0)
        self.assertTrue(any(record.get("http", {}).get("sse") for record in records(proxy.log)))

    def test_version_1_0(self):
        self.check("1.0", "a2a/1.0", painting, [])

    def test_version_0_3(self):
        self.check("0.3", "a2a/0.3", painting, [])

    def test_an_agent_that_does_not_begin_with_the_task(self):
        self.check("1.0", "a2a/1.0", curtly, [("must", "stream", "not-possible")])


class RudeAgents(Proxied):
    """An agent that breaks a rule is found out, whatever the client makes of it."""

    FOUND = {
        "none": [],
        "headless": [("must", "stream", "not-possible")],
        "two-ends": [("must", "stream", "not-possible")],
        "other-task": [("must", "stream", "not-possible")],
        "other-context": [("must", "stream", "not-possible")],
        "message-between": [("must", "stream", "not-possible")],
        "cut": [("should", "stream", "whole")],
    }

    def test_each_rule(self):
        for rule, expected in self.FOUND.items():

            async def talk(port, rule=rule):
                part = {"messageId": "m1", "role": "ROLE_USER", "parts": [{"text": rule}]}
                Http(port, "/rpc", **{"A2A-Version": "1.0"}).post(
                    {"id": 1, "method": "SendStreamingMessage", "params": {"message": part}}
                )

            with self.subTest(rule):
                (self.folder / "proxy.jsonl").unlink(missing_ok=True)
                server = lambda port: program("rude_agent.py", port)
                near, far, proxy, status = self.between(server, "a2a/1.0", talk)
                self.assertEqual(len(self.check_bytes(near, far)), 1)
                self.check_findings(proxy.findings(), proxy.log, "a2a/1.0", expected)
                self.assertEqual(status, 1 if expected else 0)


if __name__ == "__main__":
    unittest.main()
