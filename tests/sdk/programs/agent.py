"""An agent on the SDK for A2A: `agent.py PORT PUBLIC`, reached by clients at the port PUBLIC. What it does the first word of a message says."""

import asyncio
import sys

import uvicorn
from a2a.server.agent_execution.agent_executor import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import add_a2a_routes_to_fastapi, create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks.inmemory_task_store import InMemoryTaskStore
from a2a.server.tasks.task_updater import TaskUpdater
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentSkill,
    Message,
    Part,
    Role,
    Task,
    TaskState,
    TaskStatus,
)
from fastapi import FastAPI


class Painter(AgentExecutor):
    async def execute(self, context, queue):
        words = context.get_user_input().split()
        if words[0] == "greet":
            answer = Message(message_id="hello", role=Role.ROLE_AGENT, context_id=context.context_id)
            answer.parts.append(Part(text="good morning"))
            return await queue.enqueue_event(answer)
        work = TaskUpdater(queue, context.task_id, context.context_id)
        if context.current_task is None:
            status = TaskStatus(state=TaskState.TASK_STATE_SUBMITTED)
            task = Task(id=context.task_id, context_id=context.context_id, status=status, history=[context.message])
            await queue.enqueue_event(task)
        elif words[0] != "curtly":
            # A stream begins with the task, also where the task is known.
            await queue.enqueue_event(context.current_task)
        await work.start_work()
        if words[0] == "ask":
            return await work.requires_input(message=work.new_agent_message(parts=[Part(text="which colour?")]))
        if words[0] == "dry":
            await asyncio.sleep(30)
        if words[0] == "fail":
            return await work.failed()
        for coat in (1, 2):
            await asyncio.sleep(0.01)
            part = [Part(text=f"coat {coat} – {'thin ' * 2000}")]
            await work.add_artifact(part, artifact_id="wall", append=coat == 2, last_chunk=coat == 2)
        await work.complete()

    async def cancel(self, context, queue):
        await TaskUpdater(queue, context.task_id, context.context_id).cancel()


port, public = map(int, sys.argv[1:])
reached = f"http://127.0.0.1:{public}/rpc"
interfaces = [AgentInterface(protocol_binding="JSONRPC", protocol_version=it, url=reached) for it in ("1.0", "0.3")]
card = AgentCard(
    name="Painter",
    description="paints",
    version="1",
    capabilities=AgentCapabilities(streaming=True),
    default_input_modes=["text"],
    default_output_modes=["text"],
    skills=[AgentSkill(id="paint", name="paint", description="paints", tags=["paint"])],
    supported_interfaces=interfaces,
)
handler = DefaultRequestHandler(agent_executor=Painter(), task_store=InMemoryTaskStore(), agent_card=card)
app = FastAPI()
add_a2a_routes_to_fastapi(
    app,
    jsonrpc_routes=create_jsonrpc_routes(handler, rpc_url="/rpc", enable_v0_3_compat=True),
    agent_card_routes=create_agent_card_routes(card),
)
uvicorn.run(app, host="127.0.0.1", port=port, log_level="error")
