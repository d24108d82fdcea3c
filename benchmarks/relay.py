"""A bare application beside which the server is measured: `python -m benchmarks.relay PORT`, see `server.py`.

It speaks just enough of the messages of a table for the players of the benchmark: the first of four sockets is always to act, and
whatever it sends reaches all four as an update of the size that the table's name asks for. No rules, no store, no people.
"""

from __future__ import annotations

import sys
from collections import defaultdict

import msgspec
import uvicorn
from starlette.types import Receive, Scope, Send

from lampion.cli.serve import server_options

watchers: defaultdict[str, list[Send]] = defaultdict(list)
plies: defaultdict[str, int] = defaultdict(int)


def update(table: str, seat: int) -> str:
    known = {"type": "update", "ply": plies[table], "seat": seat, "legal": [] if seat else ["pass"]}
    size = int(table.rpartition("-")[2])
    empty = len(msgspec.json.encode({**known, "more": ""}))
    return msgspec.json.encode({**known, "more": "x" * max(size - empty, 0)}).decode()


async def relay(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b'{"preparing": []}'})
    if scope["type"] != "websocket":
        return
    table = scope["path"].split("/")[3]
    await receive()
    await send({"type": "websocket.accept"})
    watchers[table].append(send)
    await send({"type": "websocket.send", "text": update(table, len(watchers[table]) - 1)})
    while (await receive())["type"] == "websocket.receive":
        plies[table] += 1
        for seat, other in enumerate(watchers[table]):
            await other({"type": "websocket.send", "text": update(table, seat)})


if __name__ == "__main__":
    uvicorn.run(relay, port=int(sys.argv[1]), lifespan="off", **server_options())
