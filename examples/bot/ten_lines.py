"""A bot in ten lines: it sits down at a table by its link and plays any legal move. Usage:
ten_lines.py http://127.0.0.1:8000/t/ID#INVITE"""

import json
import random
import sys

import httpx

site, _, place = sys.argv[1].partition("/t/")
table, _, invite = place.partition("#")
token = httpx.post(f"{site}/api/bots", json={"name": "Ten Lines"}).json()["token"]
with httpx.Client(
    base_url=f"{site}/api", headers={"Authorization": f"Bearer {token}"}, timeout=60
) as web:
    web.post(f"/tables/{table}/join", json={"invite": invite}).raise_for_status()
    with web.stream("GET", "/me/stream") as lines:
        for line in filter(None, lines.iter_lines()):
            for update in web.get(f"/tables/{table}/feed?since=-1").json()["messages"][1:]:
                if update["legal"]:
                    act = {
                        "do": "act",
                        "id": f"{update['ply']}",
                        "seat": update["seat"],
                        "ply": update["ply"],
                    }
                    web.post(
                        f"/tables/{table}/commands",
                        json=act | {"action": random.choice(update["legal"])},
                    )
            if json.loads(line)["table"]["result"]:
                break
