"""Agents at the table, over the protocol itself: those that play, and those that do anything else."""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import lampion
from lampion.cli.main import main
from lampion.core.game import find_game
from lampion.core.match import Match
from lampion.core.replay import match_from_record, verify_fairness
from lampion.mcp.disguise import disguised
from lampion.mcp.seat import AgentSeat, Result, Terms
from tests.support import GAMES

mcp: Any = pytest.importorskip("mcp")

from lampion.mcp.server import make_server  # noqa: E402

ANY = GAMES[0]
Agent = Callable[[Callable[..., Coroutine[Any, Any, str]]], Coroutine[Any, Any, None]]


class Clock:
    """Time that passes when a test says so."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def play(agent: Agent, clock: Clock | None = None, **terms: Any) -> list[Result]:
    """Let a scripted agent talk to a server; gives what the host kept of it."""
    kept: list[Result] = []
    wanted = Terms(**{"game": ANY, "players": 3, "opponents": ("greedy", "random"), **terms})
    seat = AgentSeat(wanted, clock or Clock(), kept.append)

    async def talk() -> None:
        async with mcp.Client(make_server(seat)) as client:

            async def call(tool: str, **arguments: Any) -> str:
                result = await client.call_tool(tool, arguments)
                return "\n".join(part.text for part in result.content)

            await agent(call)

    asyncio.run(talk())
    for result in kept:
        check_nobody_was_harmed(result)
    return kept


def check_nobody_was_harmed(result: Result) -> None:
    """The game is whole and fair, and the others have their places whatever the agent did."""
    pieces = None if result.disguise is None else disguised(result.game, result.disguise)
    match = match_from_record(result.record, components=pieces)
    assert verify_fairness(result.record, match) > 0
    assert match.is_over and match.scores == result.scores


# --- agents ---------------------------------------------------------------------------------------


async def an_agent_that_resigns(call: Any) -> None:
    await call("new_game")
    assert "resigned, place 3 of 3" in await call("resign")
    assert "No game is running" in await call("act", action="pass")


async def an_agent_that_sends_garbage(call: Any) -> None:
    await call("new_game")
    chooser = random.Random(1)
    for number in range(6):
        garbage = "".join(
            chooser.choice("\x00\n <>{}é💥@,-17rR") for _ in range(10**number // 7 + 1)
        )
        reply = await call("act", action=garbage)
        assert reply.startswith("Refused: ") and len(reply) < 1000
    assert "The game is over: refused, place 3 of 3" in reply


# --- tests ----------------------------------------------------------------------------------------


def test_one_that_always_resigns_is_last_in_every_game() -> None:
    async def agent(call: Any) -> None:
        for _ in range(2):
            await an_agent_that_resigns(call)
        assert "All 2 games are over" in await call("new_game")

    results = play(agent, games=2)
    assert [(one.ended, one.place) for one in results] == [("resigned", 3), ("resigned", 3)]


def test_one_that_stalls_runs_out_of_time() -> None:
    clock = Clock()

    async def agent(call: Any) -> None:
        await call("new_game")
        clock.now += 59
        assert "It is your turn" in await call("look")
        clock.now += 2
        assert "out-of-time, place 3 of 3" in await call("look")

    (result,) = play(agent, clock, seconds=60)
    assert (result.ended, result.decisions) == ("out-of-time", 0)


def test_one_that_never_speaks_again_gets_its_result_from_the_host() -> None:
    clock, kept = Clock(), list[Result]()
    seat = AgentSeat(Terms(ANY, 2, opponents=("random",)), clock, kept.append)
    seat.new_game()
    seat.check_clock()
    assert not kept
    clock.now += 301
    seat.check_clock()
    assert [one.ended for one in kept] == ["out-of-time"]


def test_one_that_sends_garbage_is_told_each_time_and_then_out() -> None:
    (result,) = play(an_agent_that_sends_garbage, refusals=5)
    assert (result.ended, result.refusals, result.decisions) == ("refused", 6, 0)


def test_wrong_arguments_and_unknown_tools_change_nothing() -> None:
    async def agent(call: Any) -> None:
        before = await call("new_game")
        await call("act", action={"an": "object"})
        await call("act")
        assert "rob_the_bank" in await call("rob_the_bank")
        assert (await call("look")).endswith(before[-200:])
        await call("resign")

    (result,) = play(agent)
    assert result.refusals == 0


def test_three_agents_side_by_side_do_not_notice_each_other() -> None:
    """A server is one agent's alone; the same deal goes on the same whoever else plays."""
    alone = play(an_agent_that_plays, shows_legal=True)
    play(an_agent_that_resigns)
    play(an_agent_that_sends_garbage, refusals=5)
    assert play(an_agent_that_plays, shows_legal=True) == alone


async def an_agent_that_plays(call: Any) -> None:
    await call("new_game")
    chooser = random.Random(3)
    shown = "It is your turn"
    while "It is your turn" in shown:
        listed = (await call("legal_actions")).splitlines()
        shown = await call("act", action=chooser.choice(listed))


def test_a_game_is_played_to_its_end() -> None:
    (result,) = play(an_agent_that_plays, shows_legal=True, disguise=True)
    assert result.ended == "finished" and result.decisions > 10


def test_tools_are_few_and_legal_moves_are_not_among_them_unless_the_host_says_so() -> None:
    async def tools(terms: Terms) -> list[str]:
        async with mcp.Client(make_server(AgentSeat(terms, Clock()))) as client:
            return [tool.name for tool in (await client.list_tools()).tools]

    plain = asyncio.run(tools(Terms(ANY, 2)))
    assert len(plain) <= 8 and "legal_actions" not in plain
    assert "legal_actions" in asyncio.run(tools(Terms(ANY, 2, shows_legal=True)))


def test_rules_are_told_on_request_and_refusals_cite_them() -> None:
    async def agent(call: Any) -> None:
        assert "\n" in await call("rules")
        await call("new_game")
        refused = await call("act", action="pass")
        rule = refused.partition("(rule ")[2].partition(")")[0]
        assert (await call("rules", rule=rule)).startswith(f"### {rule} · ")
        assert await call("rules", rule="Z99") == "There is no rule Z99."

    play(agent, game="lanterns")


def test_a_seat_is_shown_nothing_that_it_may_not_know() -> None:
    clock = Clock()
    seats = [AgentSeat(Terms("lanterns", 2, opponents=("random",), seat=k), clock) for k in (0, 1)]
    shown = [seat.new_game() for seat in seats]
    assert shown[0] != shown[1], "each sees its own hand"


@pytest.mark.skipif("lanterns" not in GAMES, reason="another game is being tested")
def test_disguised_pieces_are_the_same_game_under_other_names() -> None:
    one, other = (disguised("lanterns", number) for number in (1, 2))
    assert one.hash != other.hash and not one.is_standard
    game: Any = find_game("lanterns")
    published = game.read_components(None)

    def shape(tile: Any) -> tuple[Any, ...]:
        """Which sides are of the same color, wherever the tile is turned; and which are red."""
        sides = tile.sides
        return (tile.platform, tuple(sides.index(side) for side in sides), sides.count("R"))

    for pieces in (one, other):
        assert sorted(map(shape, pieces.tiles)) == sorted(map(shape, published.tiles))  # type: ignore[attr-defined]
    match = Match(game, 2, components=one)
    assert match.components is one


def test_what_cannot_be_disguised_is_refused_before_anybody_sits_down() -> None:
    with pytest.raises(lampion.InvalidOptions, match="cannot be given other colors"):
        Terms("kuhn", 2, disguise=True).check()
    with pytest.raises(lampion.InvalidOptions, match="no seat 2"):
        Terms("kuhn", 2, seat=2).check()


def test_one_that_disconnects_comes_last_in_the_game_it_left() -> None:
    async def agent(call: Any) -> None:
        await call("new_game")

    (result,) = play(agent)
    assert (result.ended, result.place) == ("disconnected", 3)


def test_results_of_other_deals_are_not_continued() -> None:
    terms = {"game": ANY, "players": 2, "opponents": ("random",)}
    kept: list[Result] = []
    seat = AgentSeat(Terms(**terms), Clock(), kept.append)  # type: ignore[arg-type]
    seat.new_game()
    seat.leave()
    seat.leave()
    for other in ({"seed": 1}, {"seat": 1}):
        with pytest.raises(lampion.InvalidOptions, match="other games, deals or seats"):
            AgentSeat(Terms(**terms, **other), Clock(), kept.append, kept)  # type: ignore[arg-type]
    back = AgentSeat(Terms(**terms, games=2), Clock(), kept.append, kept[:1])  # type: ignore[arg-type]
    back.new_game()
    back.leave()
    assert [one.number for one in kept] == [0, 1]
    assert kept[0].record.fairness != kept[1].record.fairness, "no deal is played twice"


def test_the_command_speaks_the_protocol_keeps_results_and_continues(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    command = str(Path(sys.executable).with_name("lampion"))
    words = ["mcp", "lanterns", "--players", "2", "--bots", "random", "--games", "2", "--disguise"]
    parameters = mcp.StdioServerParameters(command=command, args=[*words, "--out", str(out)])

    async def talk(*tools: str) -> str:
        async with mcp.Client(parameters) as client:
            for tool in tools:
                result = await client.call_tool(tool, {})
        return "\n".join(part.text for part in result.content)

    asyncio.run(talk("new_game", "resign"))
    asyncio.run(talk("new_game"))  # and is gone in the middle of the second game
    results = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(one["number"], one["ended"]) for one in results] == [
        (0, "resigned"),
        (1, "disconnected"),
    ]
    assert "All 2 games are over" in asyncio.run(talk("new_game"))
    verified = CliRunner().invoke(main, ["verify", str(out)])
    assert verified.exit_code == 0 and "2 records: all legal, 2 fair" in verified.output
