"""Code that runs in the middle of a call and comes back to the object that is called: finalisers, callbacks of the
garbage collector, handlers of signals. Each program is one that hangs if it meets a lock that its own thread holds."""

from __future__ import annotations

import subprocess
import sys

import pytest

OBJECTS = """
import gc, signal, sys
import wireline

def reader(data):
    return {}

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\\n'
LINES = b'{"jsonrpc":"2.0","id":1,"method":"m","params":{}}\\nnoise\\n{"jsonrpc":"2.0","id":2,"res' + b'ult":{}}\\n'
decoder = wireline.Decoder(loads=reader)
closed = wireline.Decoder(max_message=64, max_discard=65)
streams = wireline.StreamDecoder()
over = wireline.StreamDecoder(max_message=64, max_discard=65)
client = wireline.Connection("client", loads=reader)
server = wireline.Connection("server", loads=reader, capabilities={"tools": {}})
gone = wireline.Connection("server", max_message=64, max_discard=65)
for it in (closed, over):
    it.feed(b"x" * 100)
gone.receive_data(b"x" * 100, 0.0)
client.assume("2026-07-28", {"tools": {}})
came_back = 0

def again():
    global came_back
    came_back += 1
    for it in (decoder, closed):
        it.pending, it.closed, repr(it)
    for it in (streams, over):
        it.closed, repr(it)
    for it in (client, server, gone):
        it.in_flight, it.bytes_to_send, it.state, repr(it)

REFUSED = [
    lambda: server.connect(now=0.0),
    lambda: server.assume("2026-07-28"),
    lambda: server.retry(5, {}, {}, now=0.0),
    lambda: server.listen(now=0.0),
    lambda: server.send_request("roots/list", now=0.0),
    lambda: server.send_notification("x/y"),
    lambda: server.send_result(5, {}),
    lambda: server.send_error(5, -1, "no"),
    lambda: server.send_progress(5, 1),
    lambda: server.cancel(5),
    lambda: server.ping(now=0.0),
    lambda: server.changed_for(5, "tools"),
    lambda: server.end_subscription(5),
    lambda: server.accept(5),
    lambda: server.log("info", "x", handle=5),
    lambda: server.ask(5, {}),
    lambda: server.fail_for_capability(5, {"roots": {}}),
    lambda: client.connect(now=0.0),
    lambda: client.retry(5, {}, {}, now=0.0),
    lambda: client.changed("tools"),
    lambda: client.send_result(5, {}),
    lambda: gone.receive_data(PING, 0.0),
    lambda: closed.feed(PING),
    lambda: over.feed(PING),
    lambda: wireline.parse(b"{"),
]

def work():
    for call in REFUSED:
        try:
            call()
        except wireline.ProtocolError:
            pass
    for part in (LINES, LINES[:-5], LINES[-5:]):
        decoder.feed(part), streams.feed(part), server.receive_data(part, 0.0)
    global client
    client = wireline.Connection("client", loads=reader)
    client.assume("2026-07-28", {"tools": {}})
    for _ in range(8):
        ours = client.send_request("tools/call", {"name": "t"}, now=0.0, timeout=1.0)
    for event in server.receive_data(client.data_to_send(), 0.0):
        if isinstance(event, wireline.RequestReceived):
            server.send_result(event.handle, {"content": []})
    client.cancel(ours)
    client.receive_data(server.data_to_send(), 0.0)
    client.send_request("tools/call", {"name": "t"}, now=0.0, timeout=1.0)
    client.expire(1e6)
    for it in (wireline.Decoder(loads=reader), wireline.StreamDecoder()):
        it.feed(LINES[:-5])
        it.finish()
    last = wireline.Connection("client")
    last.assume("2026-07-28", {"tools": {}})
    last.send_request("tools/list", now=0.0)
    last.close()
"""

CALLBACK = """
gc.callbacks.append(lambda phase, info: again())
gc.set_threshold(1)
"""

FINALISER = """
class Cycle:
    def __init__(self):
        self.itself = self

    def __del__(self):
        again()
        Cycle()

Cycle()
gc.set_threshold(1)
"""

SIGNAL = """
import time
signal.signal(signal.SIGALRM, lambda number, frame: again())
signal.setitimer(signal.ITIMER_REAL, 0.0002, 0.0002)
until = time.monotonic() + 1
while time.monotonic() < until:
    work()
signal.setitimer(signal.ITIMER_REAL, 0)
"""


@pytest.mark.parametrize("comes", [CALLBACK, FINALISER, SIGNAL], ids=["callback", "finaliser", "signal"])
def test_what_runs_in_the_middle_of_a_call_may_use_its_object(comes: str) -> None:
    program = OBJECTS + comes + "\nfor _ in range(3):\n    work()\ngc.set_threshold(0)\nprint(came_back)\n"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10
