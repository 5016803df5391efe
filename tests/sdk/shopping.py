"""What a client of the SDK for MCP says to `programs/shop.py`, however it reaches it."""

import asyncio

import anyio
import mcp_types


async def choose(context, params):
    return mcp_types.ElicitResult(action="accept", content={"colour": "green"})


async def ignore(*_):
    pass


async def shopping(client):
    """A bit of everything."""
    await client.list_tools()
    await client.call_tool("price", {"article": "chair \u2028 \"four legs\" \N{GRINNING FACE}"})
    await client.call_tool("paint", {"coats": 3}, progress_callback=ignore)
    ordered = await client.call_tool("order", {})
    assert ordered.content[0].text == "ordered in green", ordered
    assert (await client.call_tool("break_down", {})).is_error
    await client.read_resource("shop://hours")
    with anyio.move_on_after(0.3):
        await client.call_tool("dry", {})
    await asyncio.sleep(0.2)
    async with anyio.create_task_group() as together:
        for coats in (4, 2, 3):
            together.start_soon(client.call_tool, "paint", {"coats": coats})
        together.start_soon(client.call_tool, "price", {"article": "long " * 20_000})
