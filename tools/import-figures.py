#!/usr/bin/env python3
"""Compares the latency of moves during an import with the latency without one, in the same run.

    hansu serve --data "$(mktemp -d)" --port 8097 &
    tools/import-figures.py 8097
"""

import http.client
import json
import sys
import threading
import time

PORT = int(sys.argv[1])
KNIGHTS = ["g1f3", "g8f6", "f3g1", "f6g8"] * 3
SETTING = {
    "with": "local",
    "name": "A",
    "other": "B",
    "color": "white",
    "time": {"kind": "unlimited"},
    "variant": "standard",
}


def post(conn, path, body, key=None, kind="application/json"):
    headers = {"content-type": kind}
    if key:
        headers["authorization"] = "Bearer " + key
    conn.request("POST", path, body, headers)
    answer = conn.getresponse()
    text = answer.read()
    if answer.status >= 300:
        raise SystemExit(f"{path}: {answer.status} {text!r}")
    return json.loads(text)


def connection():
    return http.client.HTTPConnection("127.0.0.1", PORT, timeout=600)


def key():
    return post(connection(), "/api/keys", None)["key"]


def moves(over):
    """Plays a move every ten milliseconds until over() is true; the sorted latencies in milliseconds."""
    conn, player, waited = connection(), key(), []
    while not over():
        game = post(conn, "/api/games", json.dumps(SETTING), player)["game"]
        for uci in KNIGHTS:
            command = {"id": f"m{len(waited)}", "command": {"type": "move", "uci": uci}}
            begun = time.perf_counter()
            post(conn, f"/api/games/{game}/commands", json.dumps(command), player)
            waited.append(1000 * (time.perf_counter() - begun))
            time.sleep(0.01)
    return sorted(waited)


def report(name, waited):
    p99 = waited[int(0.99 * len(waited))]
    print(f"{name}: {len(waited)} moves, p50 {waited[len(waited) // 2]:.2f} ms, p99 {p99:.2f} ms")
    return p99


def calm(seconds):
    end = time.time() + seconds
    return moves(lambda: time.time() > end)


def main():
    calm(2)
    for number in range(3):
        before = report("calm", calm(8))
        tags = (f'[White "W{number}x{n}"]\n[Black "B{n}"]\n\n' for n in range(6000))
        pgn = "".join(tag + "1. e4 e5 2. Nf3 Nc6 1-0\n\n" for tag in tags)
        kind = "application/vnd.chess-pgn"
        upload = lambda: post(connection(), "/api/import", pgn.encode(), key(), kind)
        thread = threading.Thread(target=upload)
        thread.start()
        during = report("import of 6,000 games", moves(lambda: not thread.is_alive()))
        print(f"ratio of p99: {during / before:.2f}")


main()
