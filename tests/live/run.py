"""run.py WIRELINE TOOLS [CLIENT-SERVER...]: sessions between official SDKs through `wireline tap`. See README.md beside this file.

TOOLS holds the virtual environments py1 and py2, and ts with node_modules.
"""

import base64
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ("py1", "py2", "ts1", "ts2")
SESSION_SECONDS = 120
END_SECONDS = 30


class Failed(Exception):
    pass


def expect(condition: bool, what: str) -> None:
    if not condition:
        raise Failed(what)


def program(tools: pathlib.Path, role: str, peer: str) -> list[str]:
    if peer.startswith("py"):
        return [str(tools / peer / "bin" / "python"), str(HERE / f"{role}_{peer}.py")]
    return ["node", str(tools / "ts" / f"{role}_{peer}.mjs")]


def wait_for(path: pathlib.Path) -> str:
    deadline = time.monotonic() + END_SECONDS
    while time.monotonic() < deadline:
        if path.exists() and (text := path.read_text()):
            return text
        time.sleep(0.02)
    raise Failed(f"no {path.name} within {END_SECONDS} s of the session's end")


def recorded(path: pathlib.Path) -> dict[str, bytes]:
    sides = {"c2s": bytearray(), "s2c": bytearray()}
    for line in path.read_bytes().splitlines():
        record = json.loads(line)
        if "raw" in record:
            sides[record["dir"]] += record["raw"].encode()
        elif "b64" in record:
            sides[record["dir"]] += base64.b64decode(record["b64"], validate=True)
    return {side: bytes(data) for side, data in sides.items()}


def session(wireline: str, tools: pathlib.Path, client: str, server: str, folder: pathlib.Path) -> str:
    relay = [sys.executable, str(HERE / "relay.py")]
    tap = [wireline, "tap", "--record", "@RUN@/recording", "--log", "@RUN@/log", "--"]
    command = [*relay, str(folder), "front", "--", *tap, *relay, "@RUN@", "behind", "--", *program(tools, "server", server)]
    outcome = subprocess.run(
        [*program(tools, "client", client), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=SESSION_SECONDS,
        text=True,
    )
    expect(outcome.returncode == 0, f"the client ended with {outcome.returncode}:\n{outcome.stderr[-3000:]}")
    seen = json.loads(outcome.stdout.splitlines()[-1])

    runs = sorted(folder.glob("run-*"))
    expect(len(runs) > 0, "the client did not start the server")
    passed = 0
    messages = 0
    for run in runs:
        statuses = [wait_for(run / f"{side}.status") for side in ("front", "behind")]
        expect(statuses[0] == statuses[1], f"the server's status {statuses[1]} came out as {statuses[0]}")
        recording = recorded(run / "recording")
        for side in ("c2s", "s2c"):
            front, behind = (run / f"front.{side}").read_bytes(), (run / f"behind.{side}").read_bytes()
            expect(front == behind, f"{side}: {len(front)} bytes before the tap, {len(behind)} behind it, or not the same")
            expect(recording[side] == front, f"{side}: the recording does not hold the bytes that passed")
            passed += len(front)
        check = subprocess.run([wireline, "check", str(run / "recording")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        expect(check.returncode == 0, f"`wireline check` ended with {check.returncode}:\n{check.stdout.decode()}{check.stderr.decode()}")
        expect(check.stdout == (run / "log").read_bytes(), "the live report and that of the recording differ")
        summary = subprocess.run([wireline, "check", "--json", "--summary", str(run / "recording")], stdout=subprocess.PIPE, check=True)
        counts = json.loads(summary.stdout)["messages"]
        messages += counts["total"]
        expect(counts["total"] > 0, "no message")
    expect(passed > 700_000, f"only {passed} bytes passed")
    return f"{seen['protocol']}  {len(runs)} start{'s' if len(runs) > 1 else ' '}  {messages:3} messages  {passed} bytes the same on both sides"


def versions(tools: pathlib.Path, wireline: str) -> None:
    def said(*command: str) -> str:
        return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()

    print(said(wireline, "--version"))
    print(f"Python {sys.version.split()[0]}, Node {said('node', '--version')}")
    for peer in ("py1", "py2"):
        script = "from importlib.metadata import version; print(version('mcp'))"
        print(f"{peer}: PyPI mcp {said(str(tools / peer / 'bin' / 'python'), '-c', script)}")
    for peer, names in (("ts1", ("sdk",)), ("ts2", ("client", "server"))):
        for name in names:
            manifest = tools / "ts" / "node_modules" / "@modelcontextprotocol" / name / "package.json"
            print(f"{peer}: npm @modelcontextprotocol/{name} {json.loads(manifest.read_text())['version']}")


def main() -> int:
    wireline, tools, *wanted = sys.argv[1:]
    tools = pathlib.Path(tools).resolve()
    versions(tools, wireline)
    passed = failed = 0
    for client in PEERS:
        for server in PEERS:
            name = f"{client}-{server}"
            if wanted and name not in wanted:
                continue
            folder = pathlib.Path(tempfile.mkdtemp(prefix="wireline-live-"))
            try:
                print(f"ok      {name}  {session(wireline, tools, client, server, folder)}", flush=True)
                passed += 1
                shutil.rmtree(folder)
            except (Failed, subprocess.SubprocessError, OSError, ValueError, LookupError) as error:
                print(f"FAILED  {name}  {error}\n        what passed is in {folder}", flush=True)
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


os.environ.setdefault("NODE_NO_WARNINGS", "1")
sys.exit(main())
