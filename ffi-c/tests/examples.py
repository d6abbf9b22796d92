"""examples.py FOLDER TOOLS NODE WIRELINE: the C examples in FOLDER, driven by programs of others. TOOLS holds the official SDKs, as
scripts/live-tools lays them out; the boards' client programs of tests/firmware serve for the server in C as well."""

import pathlib
import signal
import subprocess
import sys
import tempfile
import time

folder, tools, node, wireline = sys.argv[1:]
root = pathlib.Path(__file__).resolve().parents[2]
server, client, poll = (str(pathlib.Path(folder, name)) for name in ("server", "client", "poll"))
python = {name: str(pathlib.Path(tools, name, "bin", "python")) for name in ("py1", "py2")}
SECONDS = 60
passed, failures = 0, []


def check(name, good, said=""):
    global passed
    if good:
        passed += 1
    else:
        failures.append(f"{name}: {said}")


def run(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, stdin=subprocess.DEVNULL, **more)


# The server, driven by the official SDKs' clients, unmodified.
for peer, era in (("py1", "legacy"), ("py2", "legacy"), ("py2", "modern"), ("ts1", "legacy"), ("ts2", "legacy"), ("ts2", "modern")):
    if peer in python:
        program = [python[peer], str(root / "tests" / "firmware" / f"sdk_{peer}.py")]
    else:
        program = [node, str(pathlib.Path(tools, "ts", f"sdk_{peer}.mjs"))]
    got = run(*program, era, "a board of variables, C", server)
    check(f"{peer}, {era}, with server.c", got.returncode == 0, got.stdout + got.stderr)

# The client, with the official SDKs' servers.
servers = {
    "py1": [python["py1"], str(root / "tests/live/server_py1.py")],
    "py2": [python["py2"], str(root / "tests/live/server_py2.py")],
    "ts1": [node, str(pathlib.Path(tools, "ts", "server_ts1.mjs"))],
    "ts2": [node, str(pathlib.Path(tools, "ts", "server_ts2.mjs"))],
    "wireline": [wireline, "serve"],
}
for name, command in servers.items():
    got = run(client, "echo", '{"text":"wörld \\"\\ud83d\\ude00\\""}', *command)
    check(f"client.c with {name}", (got.returncode, got.stdout) == (0, 'wörld "😀"\n'), got)
    got = run(client, "slow", '{"steps":3}', *command) if name != "wireline" else run(client, "count", '{"to":3}', *command)
    if name != "wireline":
        check(f"client.c with {name}, progress", got.returncode == 0 and "progress" in got.stderr, got)
    got = run(client, "boom", "{}", *command)
    check(f"client.c with {name}, a tool that fails", got.returncode == 1, got)
got = run(client, "echo", "{", *servers["wireline"])
check("client.c, bad arguments", got.returncode == 2 and "not one JSON value" in got.stderr, got)
got = run(client, "echo", "{}", "/no/such/program")
check("client.c, no server", got.returncode == 2, got)

got = run(str(pathlib.Path(folder, "session")))
check("session.cpp", (got.returncode, got.stdout) == (0, '2 + 3 is "5"\n'), got)

# Several servers in one poll loop.
got = run(poll, "20000", *servers["py2"], "--", *servers["ts1"], "--", server)
counts = [line.rsplit(": ", 1)[1] for line in got.stdout.splitlines()]
check("poll.c", got.returncode == 0 and len(counts) == 3 and all(it.endswith("tools") for it in counts) and counts[2] == "3 tools", got)

# One that opens a session, and then never answers; what it is told stands in a file.
SILENT = """
read line; read line; id=${line#*\\"id\\":}; id=${id%%,*}
printf '{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}\\n' $id
cat >"$0"
"""
with tempfile.TemporaryDirectory() as place:
    heard = pathlib.Path(place, "heard")
    silent = ["sh", "-c", SILENT, str(heard)]
    got = run(poll, "300", *silent, "--", server)
    lines = got.stdout.splitlines()
    check("poll.c, a time-out", got.returncode == 1 and lines == ["sh: no answer in time", f"{server}: 3 tools"], got)
    check("poll.c, a time-out is told", "notifications/cancelled" in heard.read_text(), heard.read_text())
    heard.unlink()
    asking = subprocess.Popen([poll, "5000", *silent], stdout=subprocess.PIPE, text=True)
    begun = time.monotonic()
    while "tools/list" not in (heard.read_text() if heard.exists() else "") and time.monotonic() - begun < SECONDS:
        time.sleep(0.02)
    asking.send_signal(signal.SIGINT)
    said, _ = asking.communicate(timeout=SECONDS)
    check("poll.c, Ctrl-C", asking.returncode == 1 and said == "sh: cancelled\n", said)
    check("poll.c, Ctrl-C is told", '"reason":"interrupted"' in heard.read_text(), heard.read_text())

for failure in failures:
    print(failure, file=sys.stderr)
print(f"{passed} passed, {len(failures)} failed")
sys.exit(1 if failures else 0)
