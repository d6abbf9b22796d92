"""A session of literal bytes with a board: session.txt says what is sent and what must come."""

import json
import pathlib
import random
import re
import time

from board import BOARDS, Board, Failed, noise

HERE = pathlib.Path(__file__).resolve().parent


def session(target: str, image: str, facts: dict[str, str], log: str | None = None) -> tuple[dict[str, str | None], int]:
    """How each step went, None for well, and how deep the stack went. `facts` are what session.txt leaves to the image."""
    facts = {"ID": BOARDS[target][2], "X": "x" * 600, "B": "[" * 40, **facts}
    steps: dict[str, str | None] = {}
    board = Board(target, image, log)
    try:
        for number, line in enumerate((HERE / "session.txt").read_text().splitlines(), 1):
            kind, _, text = line.partition(" ")
            if kind == "==":
                name = text
                steps[name] = None
            elif kind and kind != "#" and steps.get(name) is None:
                try:
                    act(board, kind, expand(text, facts))
                except Failed as error:
                    steps[name] = f"session.txt:{number}: {error}"
        return steps, board.stack()
    finally:
        board.close()


def expand(text: str, facts: dict[str, str]) -> str:
    typed = r',"structuredContent":{"celsius":\1,"samples":\2}' if "TYPED" in facts else ""
    text = re.sub(r"\$T\(([^,]*),([^)]*)\)", typed, text)
    for name in sorted(facts, key=len, reverse=True):
        text = text.replace(f"${name}", facts[name])
    return text


def act(board: Board, kind: str, text: str) -> None:
    if kind == ">":
        board.asked = time.monotonic()
        board.send(text.encode() + b"\n")
    elif kind == "x":
        board.send(bytes.fromhex(text))
    elif kind == "~":
        count, seed = text.split()
        board.send(noise(int(count), int(seed)) + b"\n")
    elif kind == "^":
        count, seed = text.split()
        board.send(noise(int(count), int(seed), lines=True) + b"\n")
    elif kind == "%":
        count, seed, line = text.split(" ", 2)
        flipped(board, int(count), int(seed), line.encode())
    elif kind == "@":
        if (passed := time.monotonic() - board.asked) < int(text) / 1000:
            raise Failed(f"{passed * 1000:.0f} ms have passed, and {text} were due")
    elif kind == "<":
        line = board.line()
        if line != text:
            raise Failed(f"`{line}` came instead of `{text}`")
    elif kind == "?":
        # What may have been on its way already.
        while (line := board.line(0.05)) is not None:
            if not line.startswith(text):
                raise Failed(f"`{line}` came instead of `{text}…`")
    elif kind == ".":
        if (line := board.line(int(text) / 1000)) is not None:
            raise Failed(f"`{line}` came, and nothing was due")
    else:
        raise Failed(f"`{kind}` is not known")


def flipped(board: Board, count: int, seed: int, line: bytes) -> None:
    """Sends a line so many times, with a bit flipped in each, and looks that whatever is said is a message, and that the board goes on."""
    source = random.Random(seed)
    for number in range(count):
        wrong = bytearray(line)
        wrong[source.randrange(len(wrong))] ^= 1 << source.randrange(8)
        ping = f"{seed}.{number}"
        board.send(bytes(wrong) + b"\n" + json.dumps({"jsonrpc": "2.0", "id": ping, "method": "ping"}).encode() + b"\n")
        while (said := board.line()) is not None:
            try:
                answer = json.loads(said)
            except ValueError as error:
                raise Failed(f"`{said}` is said after {bytes(wrong)}") from error
            if answer.get("jsonrpc") != "2.0" or ("result" in answer) == ("error" in answer):
                raise Failed(f"`{said}` is said after {bytes(wrong)}")
            if answer.get("id") == ping:
                break
        if said is None:
            raise Failed(f"no ping is answered after {bytes(wrong)}")
