"""Sessions between two official SDKs, with `wireline tap` between them: every byte must pass, and be recorded."""

import json
import subprocess
import sys
import tempfile
import time
import pathlib

from harness import HERE, SESSION_SECONDS, Failed, Place, expect, streams

PEERS = ("py1", "py2", "ts1", "ts2")
STATUS_SECONDS = 30


def wait_for(path: pathlib.Path) -> str:
    deadline = time.monotonic() + STATUS_SECONDS
    while time.monotonic() < deadline:
        if path.exists() and (text := path.read_text()):
            return text
        time.sleep(0.02)
    raise Failed(f"no {path.name} within {STATUS_SECONDS} s of the session's end")


def session(place: Place, client: str, server: str) -> tuple[str, pathlib.Path]:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="wireline-live-"))
    try:
        return passed(place, client, server, folder), folder
    except (Failed, subprocess.SubprocessError, OSError, ValueError, LookupError) as error:
        raise Failed(f"{error}; what passed is in {folder}") from error


def passed(place: Place, client: str, server: str, folder: pathlib.Path) -> str:
    wireline = place.wireline
    relay = [sys.executable, str(HERE / "relay.py")]
    tap = [wireline, "tap", "--record", "@RUN@/recording", "--log", "@RUN@/log", "--"]
    command = [*relay, str(folder), "front", "--", *tap, *relay, "@RUN@", "behind", "--", *place.own("server", server)]
    outcome = subprocess.run(
        [*place.own("client", client), *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=SESSION_SECONDS,
        text=True,
    )
    expect(outcome.returncode == 0, f"the client ended with {outcome.returncode}:\n{outcome.stderr[-3000:]}")
    seen = json.loads(outcome.stdout.splitlines()[-1])

    runs = sorted(folder.glob("run-*"))
    expect(len(runs) > 0, "the client did not start the server")
    count = total = 0
    for run in runs:
        statuses = [wait_for(run / f"{side}.status") for side in ("front", "behind")]
        expect(statuses[0] == statuses[1], f"the server's status {statuses[1]} came out as {statuses[0]}")
        recording = streams(run / "recording")
        for side in ("c2s", "s2c"):
            front, behind = (run / f"front.{side}").read_bytes(), (run / f"behind.{side}").read_bytes()
            expect(front == behind, f"{side}: {len(front)} bytes before the tap, {len(behind)} behind it, or not the same")
            expect(recording[side] == front, f"{side}: the recording does not hold the bytes that passed")
            count += len(front)
        check = subprocess.run([wireline, "check", str(run / "recording")], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        expect(check.returncode == 0, f"`wireline check` ended with {check.returncode}:\n{check.stdout.decode()}{check.stderr.decode()}")
        expect(check.stdout == (run / "log").read_bytes(), "the live report and that of the recording differ")
        summary = subprocess.run([wireline, "check", "--json", "--summary", str(run / "recording")], stdout=subprocess.PIPE, check=True)
        counts = json.loads(summary.stdout)["messages"]
        total += counts["total"]
        expect(counts["total"] > 0, "no message")
    expect(count > 700_000, f"only {count} bytes passed")
    return f"{seen['protocol']}  {len(runs)} start{'s' if len(runs) > 1 else ' '}  {total:3} messages  {count} bytes the same on both sides"
