"""measure.py WHAT CORPUS ROUNDS [--whole]: one measurement, as JSON: seconds on a CPU of each round, messages, bytes, a sum over what was read.

Every loop reads kind, id and method of every message. The sum folds them, so that all methods must have read the same.
"""

import json
import resource
import sys
import time
import zlib

CHUNK = 64 * 1024
what, corpus, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])

with open(corpus, "rb") as file:
    data = file.read()
chunks = [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)]


def lines():
    """The lines of the chunks, as a reader that splits gets them; with --whole without the work of putting them together."""
    if "--whole" in sys.argv:
        yield from data.removesuffix(b"\n").split(b"\n")
        return
    rest = b""
    for chunk in chunks:
        found = (rest + chunk).split(b"\n")
        rest = found.pop()
        yield from found


def fold(total, kind, identity, method):
    return zlib.crc32(f"{kind}{identity}{method}".encode(), total)


def wireline_messages(pieces):
    import wireline

    decoder = wireline.Decoder(max_message=1 << 31)
    for piece in pieces:
        yield from decoder.feed(piece)


def wireline_loop(pieces):
    import wireline

    decoder = wireline.Decoder(max_message=1 << 31)
    count = 0
    for piece in pieces:
        for message in decoder.feed(piece):
            message.kind, message.id, message.method
            count += 1
    return count


def wireline_sum():
    total = 0
    for message in wireline_messages(chunks):
        total = fold(total, message.kind, message.id, message.method)
    return total


def wireline_params(loads):
    import wireline

    decoder = wireline.Decoder(max_message=1 << 31, loads=loads)
    count = 0
    for piece in chunks:
        for message in decoder.feed(piece):
            message.kind, message.id, message.method
            message.params if message.method is not None else message.result
            count += 1
    return count


def by_dict(loads):
    """Values as dictionaries."""

    def loop():
        count = 0
        for line in lines():
            value = loads(line)
            method, identity = value.get("method"), value.get("id")
            if method is not None:
                kind = "notification" if identity is None else "request"  # noqa: F841
            else:
                kind = "result" if "result" in value else "error"  # noqa: F841
            count += 1
        return count

    return loop


def sum_of_dicts(loads):
    total = 0
    for line in lines():
        value = loads(line)
        method, identity = value.get("method"), value.get("id")
        if method is not None:
            kind = "notification" if "id" not in value else "request"
        else:
            kind = "result" if "result" in value else "error"
        total = fold(total, kind, identity, method)
    return total


def msgspec_typed():
    import msgspec

    class Envelope(msgspec.Struct):
        jsonrpc: str
        id: int | str | None = None
        method: str | None = None
        params: msgspec.Raw = msgspec.Raw()
        result: msgspec.Raw = msgspec.Raw()
        error: msgspec.Raw = msgspec.Raw()

    decoder = msgspec.json.Decoder(Envelope)

    def loop():
        decode = decoder.decode
        count = 0
        for line in lines():
            value = decode(line)
            method, identity = value.method, value.id
            if method is not None:
                kind = "notification" if identity is None else "request"  # noqa: F841
            else:
                kind = "result" if value.result else "error"  # noqa: F841
            count += 1
        return count

    def total():
        total = 0
        for line in lines():
            value = decoder.decode(line)
            if value.method is not None:
                kind = "notification" if value.id is None else "request"
            else:
                kind = "result" if value.result else "error"
            total = fold(total, kind, value.id, value.method)
        return total

    return loop, total


def sdk():
    try:
        from mcp_types import jsonrpc_message_adapter

        def parse(line):
            return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ImportError:
        from mcp.types import JSONRPCMessage

        def parse(line):
            return JSONRPCMessage.model_validate_json(line).root

    kinds = {"JSONRPCRequest": "request", "JSONRPCNotification": "notification", "JSONRPCResponse": "result", "JSONRPCError": "error"}

    def loop():
        count = 0
        for line in lines():
            value = parse(line)
            kinds[type(value).__name__], getattr(value, "id", None), getattr(value, "method", None)
            count += 1
        return count

    def total():
        total = 0
        for line in lines():
            value = parse(line)
            kind = kinds[type(value).__name__]
            total = fold(total, kind, getattr(value, "id", None), getattr(value, "method", None))
        return total

    return loop, total


if what == "wireline":
    loop, total = (lambda: wireline_loop(chunks)), wireline_sum
elif what == "wireline-whole":
    loop, total = (lambda: wireline_loop([data])), wireline_sum
elif what == "wireline-orjson":
    import orjson

    loop, total = (lambda: wireline_params(orjson.loads)), wireline_sum
elif what == "json":
    loop, total = by_dict(json.loads), lambda: sum_of_dicts(json.loads)
elif what == "orjson":
    import orjson

    loop, total = by_dict(orjson.loads), lambda: sum_of_dicts(orjson.loads)
elif what == "msgspec":
    loop, total = msgspec_typed()
elif what == "sdk":
    loop, total = sdk()
else:
    sys.exit(f"no method {what}")

checked = total() if rounds > 1 else 0
times = []
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
for _ in range(rounds):
    start = time.process_time()
    count = loop()
    times.append(time.process_time() - start)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
print(json.dumps({"times": times, "messages": count, "bytes": len(data), "sum": checked, "peak_kib": peak}))
