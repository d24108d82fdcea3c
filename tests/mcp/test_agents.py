"""Agents at the table, over the protocol itself: those that play, and those that do anything else."""

from __future__ import annotations

import asyncio
import copy
import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import lampion
from lampion.bots.levels import make_player
from lampion.cli.main import main
from lampion.core.replay import match_from_record, verify_fairness
from lampion.core.rng import new_rng
from lampion.mcp.results import Line, Result, ResultFile, Started, check_lines, check_result
from lampion.mcp.seat import AgentSeat
from lampion.mcp.terms import Terms
from tests.mcp.test_disguise import DISGUISED
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
    """Let a scripted agent talk to a server; gives the results that the host kept of it."""
    kept: list[Line] = []
    wanted = Terms(**{"game": ANY, "players": 3, "opponents": ("greedy", "random"), **terms})
    seat = AgentSeat(wanted, clock or Clock(), kept.append)

    async def talk() -> None:
        async with mcp.Client(make_server(seat)) as client:

            async def call(tool: str, **arguments: Any) -> str:
                result = await client.call_tool(tool, arguments)
                return "\n".join(part.text for part in result.content)

            await agent(call)

    asyncio.run(talk())
    check_nobody_was_harmed(kept)
    return finals(kept)


def finals(kept: list[Line]) -> list[Result]:
    """The last result of each game."""
    return [*{line.number: line for line in kept if isinstance(line, Result)}.values()]


def check_nobody_was_harmed(kept: list[Line]) -> None:
    """The games are whole and fair, and the others have their places whatever the agent did."""
    started = check_lines([("here", line) for line in kept])
    for line in kept:
        if isinstance(line, Result):
            assert line.record
            terms = started[line.number].terms
            match = match_from_record(line.record, components=terms.pieces_of(line.number))
            assert verify_fairness(line.record, match) > 0
            check_result(terms, line, match, "here")
    for result in finals(kept):
        assert result.record and result.record.scores == result.scores, "it was played to the end"


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
    clock, kept = Clock(), list[Line]()
    seat = AgentSeat(Terms(ANY, 2, opponents=("random",)), clock, kept.append)
    seat.new_game()
    seat.check_clock()
    assert not finals(kept)
    clock.now += 301
    seat.check_clock()
    assert [one.ended for one in finals(kept)] == ["out-of-time"]


def test_one_that_never_asks_for_a_game_loses_each_in_its_time() -> None:
    clock, kept = Clock(), list[Line]()
    seat = AgentSeat(Terms(ANY, 2, opponents=("random",), games=2, wait=60), clock, kept.append)
    for games in (0, 1, 2, 2):
        assert [(one.ended, one.place) for one in finals(kept)] == [("absent", 2)] * games
        clock.now += 61
        seat.check_clock()
    check_nobody_was_harmed(kept)
    assert "All 2 games are over" in seat.new_game()


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
    """A server is one agent's alone; the same deal goes on in the same way, no matter who else plays."""
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


@pytest.mark.parametrize("game", GAMES)
def test_a_seat_is_shown_the_same_in_all_worlds_that_it_cannot_tell_apart(game: str) -> None:
    """Hidden cards and tokens are dealt again as the seat may guess them, at every turn of a game."""
    terms = Terms(game, 2, opponents=("random",), seat=1, shows_legal=True)
    seat, rng, others = AgentSeat(terms, Clock()), new_rng(5), 0
    shown = seat.new_game()
    for _ in range(12):
        running = seat._game
        assert running is not None
        true = running.match
        for _ in range(4):
            running.match = true.guess(1, rng)
            others += running.match.state != true.state
            assert seat.look() == seat.look() and seat.look().endswith(shown[-200:])
            told = (seat.look(), seat.legal_actions(), seat.act("nonsense"))
            running.match, running.refusals = true, 0
            assert told == (seat.look(), seat.legal_actions(), seat.act("nonsense"))
            running.refusals = 0
        shown = seat.act(random.Random(5).choice(seat.legal_actions().splitlines()))
    if game in ("lanterns", "lumens"):
        assert others > 12, "the worlds differ"


def test_a_seat_is_shown_its_own_hand() -> None:
    """The worlds above differ in what is hidden; this one differs in what is seen."""
    seats = [AgentSeat(Terms(ANY, 2, opponents=("random",), seed=deal), Clock()) for deal in (0, 1)]
    shown = [seat.new_game() for seat in seats]
    assert shown[0] != shown[1]


# --- terms and ends ------------------------------------------------------------------------------


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
    kept: list[Line] = []
    seat = AgentSeat(Terms(**terms), Clock(), kept.append)  # type: ignore[arg-type]
    seat.new_game()
    seat.leave()
    seat.leave()
    seat.play_out()
    for other in ({"seed": 1}, {"seat": 1}, {"seconds": 1.0}, {"shows_legal": True}):
        with pytest.raises(lampion.InvalidOptions, match="other terms"):
            AgentSeat(Terms(**terms, **other), Clock(), kept.append, kept)  # type: ignore[arg-type]
    back = AgentSeat(Terms(**terms, games=2), Clock(), kept.append, [*kept])  # type: ignore[arg-type]
    back.new_game()
    back.leave()
    back.play_out()
    first, second = finals(kept)
    assert (first.number, second.number) == (0, 1) and first.record and second.record
    assert first.record.fairness != second.record.fairness, "no deal is played twice"
    check_nobody_was_harmed(kept)


# --- bots that fail, hosts that are killed --------------------------------------------------------


def test_a_bot_that_fails_is_replaced_and_harms_nobody() -> None:
    (result,) = play(an_agent_that_plays, opponents=("exec:false", "random"), shows_legal=True)
    assert result.ended == "finished" and [*result.replaced] == [1]
    assert "'false'" in result.replaced[1] and result.record and result.record.substituted


def test_what_counts_is_kept_before_the_others_play_on() -> None:
    """The agent is out even if nothing works from then on."""
    kept: list[Line] = []
    seat = AgentSeat(Terms(ANY, 2, opponents=("random",), games=2), Clock(), kept.append)
    seat.new_game()
    vars(seat)["_let_act"] = fails
    with pytest.raises(RuntimeError):
        seat.resign()
    assert [one.ended for one in finals(kept)] == ["resigned"]


def fails(*arguments: Any) -> None:
    raise RuntimeError("a bot with a bug")


def test_results_are_told_while_a_bot_thinks() -> None:
    seat = AgentSeat(Terms(ANY, 2, opponents=("random",)), Clock())
    with seat._lock:  # as when a bot thinks in another thread
        asker = threading.Thread(target=seat.summary)
        asker.start()
        asker.join(30)
        assert not asker.is_alive()
        seat.leave()


def test_a_game_that_ends_while_its_agent_leaves_has_one_end() -> None:
    kept: list[Line] = []
    seat = AgentSeat(Terms(ANY, 2, opponents=("random",)), Clock(), kept.append)
    seat.new_game()
    submit = seat._let_act

    def leaving(game: Any, player: int) -> None:
        seat.leave()
        submit(game, player)

    vars(seat)["_let_act"] = leaving
    while not seat.results:
        seat.act(seat.legal_actions().splitlines()[0])
    assert [one.ended for one in kept if isinstance(one, Result)] == ["disconnected"] * 2
    check_nobody_was_harmed(kept)


HELLO = (
    {"method": "initialize", "id": 1,
     "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}},
    {"method": "notifications/initialized"},
    {"method": "tools/call", "id": 2, "params": {"name": "new_game", "arguments": {}}},
)  # fmt: skip


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_host_that_is_killed_while_a_bot_thinks_loses_nothing(
    tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot never answers, so the agent's first call is never answered either."""
    out = tmp_path / "results.jsonl"
    bot = f"exec:{sys.executable} -c 'import time; print({{}}, flush=True); time.sleep(600)'"
    terms = {"--players": "2", "--seat": "1", "--bots": bot, "--games": "2", "--out": str(out)}
    command = [str(Path(sys.executable).with_name("lampion")), "mcp", ANY]
    words = [word for pair in terms.items() for word in pair]
    with subprocess.Popen(
        [*command, *words], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as host:
        assert host.stdin
        host.stdin.writelines(
            json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n" for message in HELLO
        )
        host.stdin.flush()
        while not (out.exists() and out.read_bytes().endswith(b"\n")):
            assert host.poll() is None
            time.sleep(0.05)
        host.send_signal(number)
        assert host.wait(60) in (-signal.SIGKILL, 128 + signal.SIGTERM)
    out.write_bytes(out.read_bytes() + b'{"type": "resu')  # as if it had been writing
    kinds = [type(line) for line in ResultFile(out).lines]
    assert kinds[:2] == ([Started] if number == signal.SIGKILL else [Started, Result])

    file, quick = ResultFile(out), {0: make_player("random")}
    with monkeypatch.context() as changed:
        changed.setattr(Terms, "bots", lambda terms: quick)
        back = AgentSeat(Terms(ANY, 2, 1, (bot,), games=2), Clock(), file.add, file.lines)
    assert [one.ended for one in back.results] == ["disconnected"]
    back.new_game()
    back.resign()
    assert [line.number for line in ResultFile(out).lines if isinstance(line, Started)] == [0, 1]
    verified = CliRunner().invoke(main, ["verify", str(out)])
    assert verified.exit_code == 0 and "1 disconnected, 1 resigned" in verified.output


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
    results = finals(ResultFile(out).lines)
    assert [(one.number, one.ended) for one in results] == [(0, "resigned"), (1, "disconnected")]
    assert "All 2 games are over" in asyncio.run(talk("new_game"))
    verified = CliRunner().invoke(main, ["verify", str(out)])
    assert verified.exit_code == 0 and "1 resigned, 1 disconnected" in verified.output


# --- files that were changed ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """The lines of a file with a game that was finished and one that was resigned."""
    path = tmp_path_factory.mktemp("results") / "results.jsonl"
    file = ResultFile(path)
    terms = Terms(ANY, 2, opponents=("random",), games=2, disguise=ANY in DISGUISED)
    seat = AgentSeat(terms, Clock(), file.add)
    seat.new_game()
    while not seat.results:
        seat.act(seat.legal_actions().splitlines()[0])
    seat.new_game()
    seat.resign()
    return [json.loads(line) for line in path.read_text().splitlines()]


CHANGES: dict[str, Callable[[list[Any]], Any]] = {
    "place": lambda lines: lines[1].update(place=3 - lines[1]["place"]),
    "place of one who resigned": lambda lines: lines[-1].update(place=1),
    "scores": lambda lines: lines[1]["scores"].reverse() or lines[1]["scores"].append(1),
    "ended": lambda lines: lines[-1].update(ended="finished"),
    "no such end": lambda lines: lines[1].update(ended="won"),
    "decisions": lambda lines: lines[1].update(decisions=1),
    "refusals": lambda lines: lines[1].update(refusals=21),
    "seat": lambda lines: lines[1].update(seat=1),
    "disguise": lambda lines: lines[1].update(disguise=7),
    "no disguise": lambda lines: lines[1].update(disguise=None),
    "a bot acted": lambda lines: lines[1]["record"].update(substituted=[len(lines[1]["record"]["log"]) - 1]),
    "the agent acted": lambda lines: lines[-1]["record"].pop("substituted"),
    "another game": lambda lines: lines[1].update(number=1),
    "one game dropped": lambda lines: lines.__delitem__(slice(0, 2)),
    "the start dropped": lambda lines: lines.__delitem__(0),
    **{
        name: lambda lines, name=name, value=value: lines[0]["terms"].update({name: value})  # type: ignore[misc]
        for name, value in {
            "players": 3, "opponents": ["greedy"], "seconds": 1.0, "refusals": 1, "shows_legal": True,
            "seed": 5, "wait": 1.0, "options": {"a": "b"},
        }.items()
    },
}  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_verify_refuses_changed_results(
    kept: list[dict[str, Any]], change: str, tmp_path: Path
) -> None:
    lines = copy.deepcopy(kept)
    if "disguise" in change and ANY not in DISGUISED:
        pytest.skip("this game has no disguise")
    path = tmp_path / "results.jsonl"
    for is_changed in (False, True):
        if is_changed:
            CHANGES[change](lines)
        path.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert CliRunner().invoke(main, ["verify", str(path)]).exit_code == is_changed
