"""A million messages through everything: neither objects nor memory are left behind."""

import gc
import os
import sys

import wireline

LINES = (
    b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"led","_meta":{"progressToken":1}}}\n'
    b'{"method":"tools\\/list","jsonrpc":"2.0","id":"a%d"}\n'
    b'{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}\n'
    b'{"jsonrpc":"2.0","id":%d,"error":{"code":-1,"message":"no"}}\n'
    b'noise %d\n'
)
ROUND = b"".join(LINES % ((at,) * 5) for at in range(200))
COUNT = 1000


def resident() -> int:
    """Bytes of memory in use."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def read(decoder: wireline.Decoder) -> None:
    # Cut in the middle of a line as well, so that lines are put together.
    for part in (ROUND[:-7], ROUND[-7:], bytearray(ROUND)):
        for item in decoder.feed(part):
            item.id, item.method, item.position, repr(item)
            if isinstance(item, wireline.Message):
                item.params, item.result, item.error, item.meta.progress_token, item.detach()


def converse(client: wireline.Connection, server: wireline.Connection) -> None:
    for at in range(100):
        client.send_request("tools/call", {"name": "t"}, now=0.0, progress=True)
    for event in server.receive_data(client.data_to_send(), 0.0):
        assert isinstance(event, wireline.RequestReceived)
        server.send_progress(event.handle, 1)
        if event.handle % 3 == 0:
            server.send_error(event.handle, -1, "no", {"x": 1})
        else:
            server.send_result(event.handle, {"content": []})
    for event in client.receive_data(server.data_to_send(), 0.0):
        repr(event), event.broken
    try:
        client.send_request("tools/call", {"x": float("nan")}, now=0.0)
    except wireline.LocalProtocolError:
        pass
    try:
        wireline.parse(b"{")
    except wireline.RemoteProtocolError as error:
        error.fault


def stream(decoder: wireline.StreamDecoder) -> None:
    for event in decoder.feed(ROUND):
        repr(event)


def measured() -> tuple[int, int, int]:
    gc.collect()
    return len(gc.get_objects()), sys.getallocatedblocks(), resident()


decoder, streams = wireline.Decoder(), wireline.StreamDecoder()
client, server = wireline.Connection("client"), wireline.Connection("server", capabilities={"tools": {}})
client.assume("2026-07-28", {"tools": {}})


def work(rounds: int) -> None:
    for _ in range(rounds):
        read(decoder)
        converse(client, server)
        stream(streams)
        wireline.Decoder(), wireline.StreamDecoder(), wireline.Connection("server", max_incoming=4)


work(30)
objects, blocks, memory = measured()
work(COUNT // 2)
messages = COUNT // 2 * (2 * 1000 + 300)
after = measured()
print(f"{messages} messages: {after[0] - objects:+} objects, {after[1] - blocks:+} blocks, {(after[2] - memory) // 1024:+} KiB")
assert messages >= 1_000_000
assert after[0] - objects < 50, "objects are left behind"
assert after[1] - blocks < 500, "blocks are left behind"
assert after[2] - memory < 4 * 1024 * 1024, "memory is left behind"
