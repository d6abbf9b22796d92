"""A host that is killed and starts anew, over `wireline bridge` and a pseudo-terminal; and a UART that reports errors."""

import json
import os
import re
import select
import socket
import subprocess
import tempfile
import time

from board import Failed, command

# How long anything may take.
PATIENCE = 20

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "check", "version": "1"}}


def lines(stream, until: float):
    """What comes, line by line, until then."""
    pending = b""
    while (left := until - time.monotonic()) > 0 and select.select([stream], [], [], left)[0]:
        data = os.read(stream.fileno(), 65536)
        if not data:
            return
        *whole, pending = (pending + data).split(b"\n")
        yield from whole


class Host:
    """A client of the legacy era whose server is the bridge."""

    def __init__(self, wireline: str, port: str) -> None:
        self.bridge = subprocess.Popen([wireline, "bridge", "--quiet", f"serial:{port}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.said = lines(self.bridge.stdout, time.monotonic() + PATIENCE)

    def send(self, **message) -> None:
        self.bridge.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.bridge.stdin.flush()

    def call(self, number: int, samples: int, **more) -> None:
        self.send(id=number, method="tools/call", params={"name": "sensor_read", "arguments": {"samples": samples}, **more})

    def hears(self, wanted) -> dict:
        """The next message for which this is so."""
        for line in self.said:
            message = json.loads(line)
            if wanted(message):
                return message
        raise Failed("the bridge does not say what is due")

    def answer(self, number: int) -> dict:
        return self.hears(lambda it: it.get("id") == number)

    def opens(self) -> None:
        self.send(id=0, method="initialize", params=INITIALIZE)
        answer = self.answer(0)
        if answer["result"]["serverInfo"]["name"] != "board":
            raise Failed(f"the handshake is answered by {answer}")
        self.send(method="notifications/initialized")

    def close(self) -> None:
        self.bridge.kill()
        self.bridge.communicate()


def restarts(wireline: str, target: str, image: str) -> str | None:
    """Kills the bridge while the board is at work, and starts another; what went wrong, if something did."""
    emulator = command(target, image)
    emulator[emulator.index("stdio")] = "pty"
    board = subprocess.Popen(emulator, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    hosts = []
    try:
        told = next(lines(board.stdout, time.monotonic() + PATIENCE), b"").decode()
        port = re.search(r"/dev/\S+", told)
        if not port:
            raise Failed(f"the emulator names no terminal: {told}")
        for round in range(3):
            hosts.append(Host(wireline, port[0]))
            hosts[-1].opens()
            hosts[-1].call(1, 1000, _meta={"progressToken": "t"})
            hosts[-1].hears(lambda it: it.get("method") == "notifications/progress")
            # In the middle of a request, too.
            hosts[-1].bridge.stdin.write(b'{"jsonrpc":"2.0","id":2,"method":"pi')
            hosts[-1].bridge.stdin.flush()
            hosts[-1].close()
        hosts.append(Host(wireline, port[0]))
        hosts[-1].opens()
        # The same id as before, and an answer of its own.
        hosts[-1].call(1, 2)
        answer = hosts[-1].answer(1)
        if answer.get("result", {}).get("content", [{}])[0].get("text") != "21.48":
            raise Failed(f"`{answer}` answers another request")
        return None
    except Failed as error:
        return str(error)
    finally:
        for process in [*(host.bridge for host in hosts), board]:
            process.kill()
            process.communicate()


def breaks(target: str, image: str) -> str | None:
    """Reports an error of the line inside a message that stays valid JSON; what went wrong, if something did."""
    with tempfile.TemporaryDirectory(prefix="wireline-line-") as folder:
        path = os.path.join(folder, "line")
        emulator = command(target, image)
        # By telnet a break can be sent, which this UART's model reports as an overrun and a parity error.
        emulator[emulator.index("stdio")] = "chardev:line"
        emulator += ["-chardev", f"socket,id=line,path={path},server=on,wait=on,telnet=on"]
        board = subprocess.Popen(emulator, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            until = time.monotonic() + PATIENCE
            with socket.socket(socket.AF_UNIX) as line:
                while line.connect_ex(path) and time.monotonic() < until:
                    time.sleep(0.01)

                line.sendall(b'{"jsonrpc":"2.0","id":0,"method":"initialize","params":%b}\n' % json.dumps(INITIALIZE).encode())
                line.sendall(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
                said = lines(line, until)
                opened = next(said, b"")
                if b'"board"' not in opened:
                    raise Failed(f"the handshake is answered by {opened}")
                # IAC BREAK between two digits of an id.
                line.sendall(b'{"jsonrpc":"2.0","id":1\xff\xf32,"method":"ping"}\n')
                line.sendall(b'\n{"jsonrpc":"2.0","id":3,"method":"ping"}\n')
                answer = next(said, b"")
                if answer != b'{"jsonrpc":"2.0","id":3,"result":{}}':
                    raise Failed(f"`{answer}` answers a line that was hit")
            return None
        except Failed as error:
            return str(error)
        finally:
            board.kill()
            board.wait()
