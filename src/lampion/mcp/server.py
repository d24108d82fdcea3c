"""The tools of the Model Context Protocol for one agent at one seat."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator
from importlib.metadata import version

from mcp.server import MCPServer

from lampion.core.game import find_game
from lampion.mcp.seat import AgentSeat

CLOCK_SECONDS = 1.0
"""How often the host looks at the clock of an agent that says nothing."""

INSTRUCTIONS = """You play {title} against other players, who are programs. Call new_game to sit down, act when it is your
turn, and rules when you need to know how the game is played or written. You have {seconds:.0f} seconds for each decision, and
{wait:.0f} to ask for each game. {refusals} actions of a game may be refused. {games} games are played."""


def make_server(seat: AgentSeat) -> MCPServer:
    """A server with the tools of that seat."""
    terms = seat.terms
    title = find_game(terms.game).TITLE

    @contextlib.asynccontextmanager
    async def watched(server: MCPServer) -> AsyncIterator[None]:
        watch = asyncio.create_task(_watch(seat))
        try:
            yield
        finally:
            watch.cancel()
            seat.leave()
            await asyncio.to_thread(seat.play_out)
            seat.close()

    server = MCPServer(
        f"lampion-{terms.game}",
        title=title,
        version=version("lampion"),
        instructions=INSTRUCTIONS.format(
            title=title,
            seconds=terms.seconds,
            wait=terms.wait,
            refusals=terms.refusals,
            games=terms.games,
        ),
        lifespan=watched,
        log_level="WARNING",
    )
    _add_tools(server, seat)
    return server


async def _watch(seat: AgentSeat) -> None:
    while True:
        await asyncio.sleep(CLOCK_SECONDS)
        try:
            await asyncio.to_thread(seat.check_clock)
        except Exception:  # A disk that is full now may have room later; the clock goes on.
            logging.getLogger(__name__).exception("a game could not be ended")


def _add_tools(server: MCPServer, seat: AgentSeat) -> None:
    """At most eight, so that their descriptions leave an agent room to think."""

    @server.tool(description="Start the next game, and see the table.")
    async def new_game() -> str:
        return await asyncio.to_thread(seat.new_game)

    @server.tool(description="See the table as your seat sees it, and what has happened.")
    async def look() -> str:
        return await asyncio.to_thread(seat.look)

    @server.tool(description="Act, in the notation of the rulebook. A refusal names the rule.")
    async def act(action: str) -> str:
        return await asyncio.to_thread(seat.act, action)

    @server.tool(description="Read the rulebook, or one rule by its number, such as L9.")
    async def rules(rule: str = "") -> str:
        return seat.rules(rule)

    @server.tool(description="Give up this game. You come last in it.")
    async def resign() -> str:
        return await asyncio.to_thread(seat.resign)

    @server.tool(description="See how your games ended.")
    async def results() -> str:
        return seat.summary()

    if seat.terms.shows_legal:

        @server.tool(description="List everything that you may do now.")
        async def legal_actions() -> str:
            return await asyncio.to_thread(seat.legal_actions)
