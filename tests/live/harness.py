"""What the live runs have in common: peers and how they are started, recordings, what is left behind."""

import base64
import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
SESSION_SECONDS = 120
END_SECONDS = 60

LEGACY, MODERN = "2025-11-25", "2026-07-28"
ERAS = {"legacy": LEGACY, "modern": MODERN}

# In the order of the tables, with what stands at their heads.
STEPS = {
    "open": "opens",
    "tools": "tools",
    "resources": "resources",
    "templates": "templates",
    "prompts": "prompts",
    "call": "calls",
    "progress": "progress",
    "cancel": "cancels",
    "read": "reads",
    "get": "gets",
    "complete": "completes",
    "errors": "errors",
    "elicit": "elicitation",
    "sample": "sampling",
    "roots": "roots",
    "log": "logs",
    "updates": "updates",
    "ping": "pings",
    "wire": "clean",
    "end": "ends",
}


class Failed(Exception):
    pass


def expect(condition: bool, what: str) -> None:
    if not condition:
        raise Failed(what)


@dataclasses.dataclass
class Row:
    """A peer in a role and an era, and how each step went: None if well, or {"none": why} or {"failed": how}."""

    peer: str
    version: str
    role: str
    era: str
    steps: dict[str, dict | None]

    def failures(self) -> list[str]:
        return [f"{name}: {how['failed']}" for name, how in self.steps.items() if how and "failed" in how]

    def counts(self) -> tuple[int, int]:
        taken = [how for how in self.steps.values() if not how or "failed" in how]
        return taken.count(None), len(taken)


class Place:
    """Where things are, and which versions."""

    def __init__(self, wireline: str, tools: str, rmcp: str) -> None:
        self.wireline, self.tools, self.rmcp = wireline, pathlib.Path(tools).resolve(), rmcp

    def python(self, name: str) -> str:
        return str(self.tools / name / "bin" / "python")

    def node_bin(self, name: str) -> list[str]:
        return ["node", str(self.tools / "ts" / "node_modules" / ".bin" / name)]

    def own(self, role: str, peer: str) -> list[str]:
        """A program of this folder: a client or a server on an SDK."""
        if peer.startswith("ts"):
            return ["node", str(self.tools / "ts" / f"{role}_{peer}.mjs")]
        venv = "py2" if peer == "fastmcp" else peer
        return [self.python(venv), str(HERE / f"{role}_{peer}.py")]

    def npm(self, package: str) -> str:
        return json.loads((self.tools / "ts" / "node_modules" / package / "package.json").read_text())["version"]

    def pypi(self, venv: str, package: str) -> str:
        script = f"from importlib.metadata import version; print(version('{package}'))"
        return said(self.python(venv), "-c", script)

    def crate(self, name: str) -> str:
        lock = tomllib.loads((HERE / "rmcp" / "Cargo.lock").read_text())
        return next(package["version"] for package in lock["package"] if package["name"] == name)

    @staticmethod
    def environment(**more: str) -> dict[str, str]:
        return {**os.environ, **more}

    def recorded(self, folder: pathlib.Path, *command: str) -> list[str]:
        """The command behind `wireline tap`, with a recording in the folder for each time that it is started."""
        return [str(HERE / "start"), self.wireline, str(folder), *command]

    def check(self, folder: pathlib.Path) -> None:
        """No line that passed in either direction was at fault."""
        files = recordings(folder)
        expect(len(files) > 0, "the server was not started")
        for file in files:
            outcome = subprocess.run([self.wireline, "check", "--faults", str(file)], stdout=subprocess.PIPE)
            expect(outcome.returncode == 0, f"`wireline check` ended with {outcome.returncode}: {outcome.stdout.decode()[:300]}")


def said(*command: str) -> str:
    return subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.strip()


def new_folder() -> pathlib.Path:
    """A folder for a session, with `files` to be served."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="wireline-live-"))
    (folder / "files" / "notes").mkdir(parents=True)
    (folder / "files" / "hello.txt").write_text("Hello, wörld 😀")
    (folder / "files" / "data.bin").write_bytes(bytes(range(256)))
    (folder / "files" / "notes" / "a b.md").write_text("# Notes\n")
    (folder / "files" / "watched.txt").write_text("as it was")
    return folder


def recordings(folder: pathlib.Path) -> list[pathlib.Path]:
    """In the order in which they were begun."""
    return sorted(folder.glob("*.rec"), key=lambda file: json.loads(file.open().readline())["started_unix_ms"])


def events(file: pathlib.Path) -> list[dict]:
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line]


def streams(file: pathlib.Path) -> dict[str, bytes]:
    """The bytes of each direction."""
    sides = {"c2s": bytearray(), "s2c": bytearray()}
    for record in events(file):
        if "raw" in record:
            sides[record["dir"]] += record["raw"].encode()
        elif "b64" in record:
            sides[record["dir"]] += base64.b64decode(record["b64"], validate=True)
    return {side: bytes(data) for side, data in sides.items()}


def messages(file: pathlib.Path, side: str) -> list[dict]:
    return [json.loads(line) for line in streams(file)[side].split(b"\n") if line]


def exit_of(file: pathlib.Path) -> dict:
    """How the server of a recording ended; it is waited for."""
    deadline = time.monotonic() + END_SECONDS
    while True:
        for record in events(file):
            if record.get("event") == "exit":
                return record
        if time.monotonic() > deadline:
            last = str(events(file)[-1])[:200]
            running = left_behind(file.parent) or "nothing"
            raise Failed(f"no end of the server recorded {END_SECONDS} s after the session's; last: {last}; running: {running}")
        time.sleep(0.02)


def ended_well(folder: pathlib.Path, told_to: str = "none") -> None:
    """Every server ended by itself, with status 0, and nothing that it or its client started is left.

    `told_to` says which of them may have been ended by SIGTERM instead: none, all, or all but the last, which is right for a client that
    starts servers only to see what they speak.
    """
    files = recordings(folder)
    for file in files:
        ending = exit_of(file)
        signalled = ending.get("signal") == 15 and (told_to == "all" or told_to == "others" and file != files[-1])
        expect(ending.get("code") == 0 or signalled, f"the server ended with {ending}")
    deadline = time.monotonic() + END_SECONDS
    while left := left_behind(folder):
        expect(time.monotonic() < deadline, f"still running: {left}")
        time.sleep(0.02)


def left_behind(folder: pathlib.Path) -> list[str]:
    """What still runs with the folder in its environment, which `start` put there."""
    mark = f"WIRELINE_LIVE={folder}".encode()
    if not pathlib.Path("/proc/self/environ").exists():
        lines = said("ps", "-Aww", "-o", "pid=,args=").splitlines()
        return [line for line in lines if str(folder) in line]
    left = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and mark in (entry / "environ").read_bytes().split(b"\0"):
                left.append(f"{entry.name} {(entry / 'cmdline').read_bytes().replace(bytes(1), b' ').decode()}")
        except OSError:
            # It ended meanwhile, or belongs to somebody else.
            continue
    return left


def cancelled(folder: pathlib.Path, tool: str, errors: bool = False) -> None:
    """The tool's newest call was cancelled on the wire, by its id, and was not answered; with `errors` an error may still come."""
    for file in reversed(recordings(folder)):
        sent, came = messages(file, "c2s"), messages(file, "s2c")
        calls = [it["id"] for it in sent if it.get("method") == "tools/call" and it.get("params", {}).get("name") == tool]
        if not calls:
            continue
        stopped = [it["params"]["requestId"] for it in sent if it.get("method") == "notifications/cancelled"]
        answers = [it for it in came if "method" not in it and it["id"] == calls[-1] and not (errors and "error" in it)]
        expect(calls[-1] in stopped, f"the call {calls[-1]} was not cancelled, but {stopped}")
        expect(not answers, f"the call was answered: {answers}")
        return
    raise Failed(f"{tool} was not called")


def take(steps: dict[str, dict | None], name: str, run) -> None:
    """A step; what goes wrong in it does not end the session."""
    try:
        run()
    except (Failed, AssertionError, subprocess.SubprocessError, OSError, ValueError, LookupError, TypeError) as error:
        steps[name] = {"failed": f"{type(error).__name__}: {error}"[:1500]}
    else:
        steps[name] = None


def clear(folder: pathlib.Path) -> None:
    shutil.rmtree(folder)


os.environ.setdefault("NODE_NO_WARNINGS", "1")
