"""The game over plain HTTP: what a seat sees, commands, chat, hints."""

from __future__ import annotations

from lampion.bots.task import Task
from lampion.server import wire
from lampion.server.errors import TableError
from lampion.server.study import hints, tasks, texts
from lampion.server.tables import chat as chatting
from lampion.server.tables.table import previews_of
from lampion.server.web import limits
from lampion.server.web.endpoints.tables import TABLE
from lampion.server.web.http import Ask, Endpoint, spend_history


async def feed(ask: Ask) -> wire.Feed:
    services, viewer = ask.services, await ask.viewer()
    since, said = ask.number("since", 0) or 0, ask.number("said", None)
    async with services.rooms.at(ask.table) as room:
        spend_history(services, ask.who, room, since)
        services.presence.call(room, viewer, is_hidden=bool(ask.number("hidden", 0)))
        messages = services.publisher.greeting(room, viewer, since)
        may_read = chatting.may_talk(room.table, viewer)
        if said is not None and said < room.table.chat_lines and may_read:
            lines = await services.store.chat(ask.table, since=max(0, said))
            messages += [chatting.said(room.table, line) for line in lines]
        return wire.Feed(messages)


async def command(ask: Ask) -> wire.Feed:
    """The answer to a command, then the table as it stands, or what happened since a ply."""
    person, services, since = ask.known(), ask.services, ask.number("since", None)
    ask.spend(limits.COMMANDS)
    viewer = await ask.viewer()
    if since is not None:
        spend_history(services, ask.who, await services.rooms.room(ask.table), since)
    if isinstance(ask.body, wire.Say):
        ask.spend(limits.CHAT)
        services.sanctions.check_not_muted(person.id, ask.who.address)
        await chatting.say(services.rooms, ask.table, person, viewer, ask.body)
    else:
        await services.rooms.do(ask.table, person.id, ask.body)
    async with services.rooms.at(ask.table) as room:
        greeting = services.publisher.greeting(room, viewer, -1 if since is None else since)
        return wire.Feed([wire.Done(ask.body.id), *greeting])


async def previews(ask: Ask) -> wire.Previews:
    seat = ask.number("seat", None)
    async with ask.services.rooms.at(ask.table) as room:
        match = room.table.match
        if match is None or seat not in room.table.seats_of(ask.who.person):
            raise TableError("this seat is not yours", code="not-your-seat", where="seat")
        return wire.Previews(
            match.ply, previews_of(match, seat) if seat in room.table.actors else {}
        )


async def chat(ask: Ask) -> wire.Feed:
    viewer = await ask.viewer()
    async with ask.services.rooms.at(ask.table) as room:
        chatting.check_may_talk(room.table, viewer)
        lines = await ask.services.store.chat(ask.table, since=max(0, ask.number("since", 0) or 0))
        return wire.Feed([chatting.said(room.table, line) for line in lines])


async def hint(ask: Ask) -> wire.Hint:
    person = ask.known()
    texts.known_language(ask.body.language)
    ask.spend(limits.THOUGHTS)
    think = tasks.hint if ask.body.found else hints.hint
    return await think(ask.services, ask.table, person.id, ask.body)


async def hint_task(ask: Ask) -> Task:
    person = ask.known()
    ask.spend(limits.THOUGHTS)
    return await tasks.task(ask.services, ask.table, person.id, ask.body.seat)


_SINCE = {"since": "return everything from this ply on; -1 for the present only"}
_SAID = {"said": "plus chat messages after that number"}
_HIDDEN = {"hidden": "1 if nobody looks at the page: then notifications are sent all the same"}
_INVITE = {"invite": "the invitation of a private table"}
ENDPOINTS = (
    Endpoint("GET", f"{TABLE}/feed", "Return the game as my seats see it", feed, wire.Feed, numbers=_SINCE | _SAID | _HIDDEN,
             texts=_INVITE),
    Endpoint("POST", f"{TABLE}/commands", "Send a command", command, wire.Feed, wire.SeatCommand | wire.Say,
             numbers=_SINCE, texts=_INVITE),
    Endpoint("GET", f"{TABLE}/previews", "Return what each of my legal actions would do", previews, wire.Previews,
             numbers={"seat": "my seat"}),
    Endpoint("GET", f"{TABLE}/chat", "Return the chat", chat, wire.Feed, numbers={"since": "lines after that number"},
             texts=_INVITE),
    Endpoint("POST", f"{TABLE}/hint", "Ask what a strong bot would do", hint, wire.Hint, wire.HintRequest),
    Endpoint("POST", f"{TABLE}/hint/task", "Return what my seat knows, as a search for my own machine", hint_task, Task,
             wire.HintTaskRequest),
)  # fmt: skip
