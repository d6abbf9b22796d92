"""pings.py COUNT COMMAND…: pipelined pings a second through a stdio server, by a driver that reads while it writes."""

import subprocess
import sys
import threading
import time

count, command = int(sys.argv[1]), sys.argv[2:]
server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0)


def read(lines):
    while lines > 0:
        data = server.stdout.read(1 << 20)
        if not data:
            sys.exit("the server ended")
        lines -= data.count(b"\n")


server.stdin.write(
    b'{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},'
    b'"clientInfo":{"name":"pings","version":"1"}}}\n'
)
read(1)
server.stdin.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
data = b"".join(b'{"jsonrpc":"2.0","id":%d,"method":"ping"}\n' % at for at in range(count))


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
