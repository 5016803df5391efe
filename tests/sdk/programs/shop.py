"""A server on the SDK for MCP: `shop.py stdio` or `shop.py PORT`."""

import sys
from typing import Annotated

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel

shop = MCPServer("shop")


class Choice(BaseModel):
    colour: str


@shop.tool()
async def price(article: str) -> str:
    return f"{article} costs 12 – no more"


@shop.tool()
async def paint(coats: int, ctx: Context) -> str:
    for coat in range(coats):
        await anyio.sleep(0.01)
        await ctx.report_progress(coat + 1, coats, f"coat {coat + 1}")
    return "painted"


async def ask() -> Elicit[Choice]:
    return Elicit("Which colour?", Choice)


@shop.tool()
async def order(choice: Annotated[Choice, Resolve(ask)]) -> str:
    """Asks back: with a handshake by a request of its own, without by a result that requires input."""
    return f"ordered in {choice.colour}"


@shop.tool()
async def break_down() -> str:
    raise RuntimeError("out of paint")


@shop.tool()
async def dry() -> str:
    await anyio.sleep(30)
    return "dry"


@shop.resource("shop://hours")
def hours() -> str:
    return "nine to five"


if __name__ == "__main__":
    if sys.argv[1] == "stdio":
        shop.run("stdio")
    else:
        shop.run("streamable-http", host="127.0.0.1", port=int(sys.argv[1]))
