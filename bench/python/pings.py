"""pings.py ping|call COUNT COMMAND…: pipelined requests a second through a stdio server, by a driver that reads while it writes: pings, or
calls of its tool `add`. An answer that is an error ends it."""

import subprocess
import sys
import threading
import time

what, count, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)


def read(lines):
    while lines > 0:
        data = server.stdout.read(1 << 20)
        if not data:
            sys.exit("the server ended")
        if b'"error"' in data or b'"isError":true' in data:
            sys.exit(f"the server refuses: {data[:500]}")
        lines -= data.count(b"\n")


server.stdin.write(
    b'{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"pings","version":"1"}}}\n'
)
read(1)
server.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
LINES = {
    "ping": b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n',
    "call": b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add","arguments":{"a":2,"b":3}}}\n',
}
data = b"".join(LINES[what] % at for at in range(count))


def write():
    rest = memoryview(data)
    while rest:
        rest = rest[server.stdin.write(rest[:65536]) :]


start = time.perf_counter()
writer = threading.Thread(target=write)
writer.start()
read(count)
took = time.perf_counter() - start
writer.join()
server.stdin.close()
server.wait()
print(count / took)
