"""`wireline call` with other people's servers: each step is a run of it, whose JSON is looked at."""

import base64
import datetime
import json
import os
import pty
import signal
import subprocess
import threading
import time

from harness import (
    END_SECONDS,
    ERAS,
    SESSION_SECONDS,
    STEPS,
    Failed,
    Place,
    Row,
    cancelled,
    ended_well,
    expect,
    messages,
    new_folder,
    recordings,
    take,
)

BOTH = tuple(ERAS)
SERVERS = {
    "ts1": ("TypeScript SDK 1", ("legacy",)),
    "ts2": ("TypeScript SDK 2", BOTH),
    "py1": ("Python SDK 1", ("legacy",)),
    "py2": ("Python SDK 2", BOTH),
    "rmcp": ("rmcp", BOTH),
    "fastmcp": ("FastMCP", BOTH),
    "everything": ("server-everything", ("legacy",)),
    "filesystem": ("server-filesystem", ("legacy",)),
    "memory": ("server-memory", ("legacy",)),
    "time": ("mcp-server-time", BOTH),
}

# The programs of this folder, which all have the same to offer.
OWN = ("ts1", "ts2", "py1", "py2", "rmcp", "fastmcp")

TEXT = "héllo 😀 \" \\ \n\t end \u2028 \u0085 \u202e."
# Longer than a pipe holds, and short enough for an argument.
BIG = "ø€😀" * 10_000
NOT_OURS = {
    "log": "`wireline call` is run without `--log-level`",
    "updates": "`wireline call` does not stay to wait for any",
    "ping": "`wireline call` sends none",
}
# Why a server has to be told to end, which `wireline call` does two seconds after it has closed its input.
STAYING = {"everything": "it asks for the roots some time after the start, and stays while its question is open; SIGTERM ends it"}
LISTS = {"tools": "tools", "resources": "resources", "templates": "resourceTemplates", "prompts": "prompts"}


class Caller:
    """Runs of `wireline call` with one server in one era."""

    def __init__(self, place: Place, server: str, era: str, folder) -> None:
        self.place, self.folder, self.era = place, folder, era
        # Python and its packages take a second to start: such servers are started less often.
        self.slow = server in ("py1", "py2", "fastmcp")
        self.server = place.recorded(folder, *command_of(place, server, folder))
        # A server of both eras is asked to show the older one; with all others it has to be found out.
        forced = era == "legacy" and "modern" in SERVERS[server][1]
        self.options = ["--json", "--color", "never", "--timeout", "60", "--era", "legacy" if forced else "auto"]

    def start(self, *args: str, **streams) -> subprocess.Popen:
        command = [self.place.wireline, "call", *self.options, *args, "--", *self.server]
        environment = self.place.environment(MEMORY_FILE_PATH=str(self.folder / "memory.jsonl"))
        streams = {"stdin": subprocess.DEVNULL, "stderr": subprocess.PIPE, **streams}
        return subprocess.Popen(command, stdout=subprocess.PIPE, env=environment, text=True, **streams)

    def call(self, *args: str, status: int = 0) -> dict:
        """What was answered, as JSON."""
        process = self.start(*args)
        out, errors = process.communicate(timeout=SESSION_SECONDS)
        self.said = errors
        return self.answer(process, out, errors, status)

    @staticmethod
    def answer(process: subprocess.Popen, out: str, errors: str, status: int) -> dict:
        told = f"{out[-1000:]}{errors[-1500:]}"
        expect(process.returncode == status, f"status {process.returncode} instead of {status}: {told}")
        expect(out.count("\n") == 1, f"not one line: {told}")
        return json.loads(out)

    def at_a_terminal(self, typed: str, *args: str) -> dict:
        """With somebody who answers the server's questions."""
        ours, theirs = pty.openpty()
        shown = []

        def drain() -> None:
            try:
                while data := os.read(ours, 4096):
                    shown.append(data)
            except OSError:
                # So ends a terminal that nobody has open any more.
                pass

        process = self.start(*args, stdin=theirs, stderr=theirs)
        os.close(theirs)
        reader = threading.Thread(target=drain)
        reader.start()
        os.write(ours, typed.encode())
        out, _ = process.communicate(timeout=SESSION_SECONDS)
        reader.join(END_SECONDS)
        os.close(ours)
        return self.answer(process, out, b"".join(shown).decode(errors="replace"), 0)

    def interrupted(self, tool: str, *args: str) -> None:
        """Ctrl-C while the tool works."""
        seen = set(recordings(self.folder))
        process = self.start("--tool", tool, *args)
        deadline = time.monotonic() + END_SECONDS
        while not self.calls_passed(seen):
            expect(process.poll() is None, "it ended before the call")
            expect(time.monotonic() < deadline, "no call")
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=SESSION_SECONDS)
        expect(process.returncode == 130, f"status {process.returncode} instead of 130: {errors[-1000:]}")
        # The Python SDK 1.x answers what was cancelled with an error, which is passed over.
        cancelled(self.folder, tool, errors=True)

    def calls_passed(self, seen: set) -> bool:
        new = [file for file in recordings_so_far(self.folder) if file not in seen]
        return any(b'\\"tools/call\\"' in file.read_bytes() for file in new)


def recordings_so_far(folder) -> list:
    """Those that have anything in them yet."""
    return [file for file in folder.glob("*.rec") if file.stat().st_size]


def command_of(place: Place, server: str, folder) -> list[str]:
    if server == "rmcp":
        return [place.rmcp, "serve"]
    if server == "time":
        return [str(place.tools / "py2" / "bin" / "mcp-server-time"), "--local-timezone", "Etc/UTC"]
    if server == "filesystem":
        return [*place.node_bin("mcp-server-filesystem"), str(folder / "files")]
    if server in ("everything", "memory"):
        return place.node_bin(f"mcp-server-{server}")
    return place.own("server", server)


def version_of(place: Place, server: str) -> str:
    match server:
        case "ts1":
            return place.npm("@modelcontextprotocol/sdk")
        case "ts2":
            return place.npm("@modelcontextprotocol/server")
        case "py1" | "py2":
            return place.pypi(server, "mcp")
        case "fastmcp":
            return place.pypi("py2", "fastmcp")
        case "time":
            return place.pypi("py2", "mcp-server-time")
        case "rmcp":
            return place.crate("rmcp")
    return place.npm(f"@modelcontextprotocol/server-{server}")


def session(place: Place, server: str, era: str) -> tuple[Row, object]:
    folder = new_folder()
    steps: dict[str, dict | None] = {name: {"none": why} for name, why in NOT_OURS.items()}
    try:
        caller = Caller(place, server, era, folder)
        opened = opens(caller, steps)
        if server in OWN:
            own(caller, steps, opened)
        else:
            {"everything": everything, "filesystem": filesystem, "memory": memory, "time": clock}[server](caller, steps)
        for step, member in LISTS.items():
            if step not in steps:
                steps[step] = None if opened.get(member) else {"none": "it has none"}
        for name in STEPS.keys() - steps.keys() - {"wire", "end"}:
            steps[name] = {"none": "it has nothing for it"}
        take(steps, "wire", lambda: place.check(folder))
        take(steps, "end", lambda: ended_well(folder, "all" if server in STAYING else "none"))
        if steps["end"] is None and server in STAYING:
            steps["end"] = {"none": STAYING[server]}
        expect(steps.keys() == STEPS.keys(), f"these steps are not known: {steps.keys() - STEPS.keys()}")
        version = version_of(place, server)
    except (Failed, subprocess.SubprocessError, OSError, ValueError, LookupError) as error:
        raise Failed(f"{error}; what passed is in {folder}") from error
    return Row(SERVERS[server][0], version, "server", era, steps), folder


def opens(caller: Caller, steps) -> dict:
    opened: dict = {}

    def run() -> None:
        opened.update(caller.call())
        assert opened["revision"] == ERAS[caller.era] and opened["era"] == caller.era, opened
        assert opened["serverInfo"]["name"], opened

    take(steps, "open", run)
    return opened


def text(result: dict) -> str:
    return result["content"][0]["text"]


def same(found, due) -> None:
    assert found == due, f"{found} instead of {due}"[:800]


def own(caller: Caller, steps, opened: dict) -> None:
    """The servers of this folder."""
    call = caller.call

    def lists() -> None:
        same({tool["name"] for tool in opened["tools"]}, {"echo", "slow", "boom", "hang", "ask", "sample", "roots"})
        if not caller.slow:
            same(call("--list", "tools")["tools"], opened["tools"])

    def templates() -> None:
        same([it["uriTemplate"] for it in opened["resourceTemplates"]], ["test://hello/{name}"])

    def calls() -> None:
        for given in (TEXT + BIG,) if caller.slow else (TEXT, BIG):
            same(text(call("--tool", "echo", "--yes", "--args", json.dumps({"text": given}, ensure_ascii=False))), given)
        failed = call("--tool", "boom", "--yes", status=1)
        assert failed["isError"] is True and text(failed), failed

    def progress() -> None:
        same(text(call("--tool", "slow", "--yes", "--args", "steps=3")), "done 3")
        told = told_progress(caller)
        same([(it["progress"], it["total"]) for it in told], [(1, 3), (2, 3), (3, 3)])
        for step in (1, 2, 3):
            assert f"step {step}" in caller.said, caller.said

    def reads() -> None:
        if not caller.slow:
            same(call("--read", "test://hello")["contents"][0]["text"], "Hello, wörld 😀")
        same(call("--read", "test://hello/Bob")["contents"][0]["text"], "Hello, Bob")

    def gets() -> None:
        same(call("--get", "greet", "--args", "name=Ada")["messages"][0]["content"]["text"], "Please greet Ada.")

    def completes() -> None:
        same(call("--complete", "greet", "name=A")["completion"]["values"], ["Ada", "Alan"])

    def errors() -> None:
        assert isinstance(call("--read", "nowhere://at/all", status=1)["error"]["code"], int)
        if not caller.slow:
            assert isinstance(call("--get", "no-such-prompt", status=1)["error"]["code"], int)
        # Some say so in the result, for the model, and some in an error.
        wrong = call("--tool", "echo", "--yes", "--args", "txt=wrong", status=1)
        assert wrong.get("isError") is True or isinstance(wrong["error"]["code"], int), wrong

    take(steps, "tools", lists)
    take(steps, "templates", templates)
    take(steps, "call", calls)
    take(steps, "progress", progress)
    take(steps, "cancel", lambda: caller.interrupted("hang", "--yes"))
    take(steps, "read", reads)
    take(steps, "get", gets)
    take(steps, "complete", completes)
    take(steps, "errors", errors)
    take(steps, "elicit", lambda: same(text(caller.at_a_terminal("y\nAda\n", "--tool", "ask", "--yes")), "the user said Ada"))
    sample = ("--tool", "sample", "--yes", "--sample", "a model's answer ✓")
    take(steps, "sample", lambda: same(text(call(*sample)), "the model said a model's answer ✓"))
    roots = ("--tool", "roots", "--yes", "--roots", str(caller.folder / "files"))
    take(steps, "roots", lambda: same(text(call(*roots)), (caller.folder / "files").resolve().as_uri()))


def told_progress(caller: Caller) -> list[dict]:
    """What progress the newest session was told of, under the token that was given."""
    newest = recordings(caller.folder)[-1]
    asked = [it for it in messages(newest, "c2s") if it.get("method") == "tools/call"]
    token = asked[-1]["params"]["_meta"]["progressToken"]
    told = [it["params"] for it in messages(newest, "s2c") if it.get("method") == "notifications/progress"]
    assert all(it["progressToken"] == token for it in told), told
    return told


def everything(caller: Caller, steps) -> None:
    call = caller.call

    def calls() -> None:
        same(text(call("--tool", "echo", "--args", json.dumps({"message": TEXT}))), f"Echo: {TEXT}")
        assert "5" in text(call("--tool", "get-sum", "--args", "a=2", "--args", "b=3"))
        assert call("--tool", "get-structured-content", "--args", "location=Chicago")["structuredContent"]["conditions"]

    def progress() -> None:
        call("--tool", "trigger-long-running-operation", "--args", "duration=1", "--args", "steps=4")
        same([(it["progress"], it["total"]) for it in told_progress(caller)], [(1, 4), (2, 4), (3, 4), (4, 4)])

    def reads() -> None:
        assert call("--read", "demo://resource/static/document/features.md")["contents"][0]["text"]
        assert base64.b64decode(call("--read", "demo://resource/dynamic/blob/1")["contents"][0]["blob"])

    def gets() -> None:
        got = call("--get", "args-prompt", "--args", "city=Ulm")
        assert "Ulm" in got["messages"][0]["content"]["text"], got

    def completes() -> None:
        assert "Engineering" in call("--complete", "completable-prompt", "department=E")["completion"]["values"]

    def errors() -> None:
        assert isinstance(call("--read", "nowhere://at/all", status=1)["error"]["code"], int)
        assert isinstance(call("--get", "args-prompt", status=1)["error"]["code"], int)

    def elicits() -> None:
        # Leaves the form.
        answer = caller.at_a_terminal("n\n", "--tool", "trigger-elicitation-request", "--yes")
        assert "declined" in text(answer).lower(), answer

    def roots() -> None:
        uri = (caller.folder / "files").resolve().as_uri()
        answer = call("--tool", "get-roots-list", "--roots", str(caller.folder / "files"))
        assert uri in json.dumps(answer), answer

    sample = ("--tool", "trigger-sampling-request", "--yes", "--args", "prompt=hello", "--sample", "a model's answer ✓")
    take(steps, "call", calls)
    take(steps, "progress", progress)
    # It works on when it is cancelled.
    slow = ("--args", "duration=1.5", "--args", "steps=1")
    take(steps, "cancel", lambda: caller.interrupted("trigger-long-running-operation", *slow))
    take(steps, "read", reads)
    take(steps, "get", gets)
    take(steps, "complete", completes)
    take(steps, "errors", errors)
    take(steps, "elicit", elicits)

    def samples() -> None:
        answer = call(*sample)
        assert "a model's answer ✓" in json.dumps(answer, ensure_ascii=False), answer

    take(steps, "sample", samples)
    take(steps, "roots", roots)


def filesystem(caller: Caller, steps) -> None:
    call, files = caller.call, caller.folder / "files"

    def calls() -> None:
        written = {"path": str(files / "new ü.txt"), "content": TEXT}
        call("--tool", "write_file", "--yes", "--args", json.dumps(written))
        same((files / "new ü.txt").read_bytes().decode(), TEXT)
        same(text(call("--tool", "read_text_file", "--args", f"path={files}/new ü.txt")), TEXT)
        outside = call("--tool", "read_text_file", "--args", "path=/etc/hostname", status=1)
        assert outside["isError"] is True, outside

    def unapproved() -> None:
        process = caller.start("--tool", "write_file", "--args", json.dumps({"path": str(files / "no"), "content": ""}))
        _, errors = process.communicate(timeout=SESSION_SECONDS)
        assert process.returncode == 2 and "--yes" in errors and not (files / "no").exists(), errors

    def roots() -> None:
        # It asks of its own accord, and takes what it is told some time later: what was told is what can be seen.
        call("--tool", "list_allowed_directories", "--roots", str(files / "notes"))
        newest = recordings(caller.folder)[-1]
        asked = [it["id"] for it in messages(newest, "s2c") if it.get("method") == "roots/list"]
        told = [it["result"]["roots"] for it in messages(newest, "c2s") if "result" in it and it["id"] in asked]
        same([root["uri"] for root in told[0]], [(files / "notes").resolve().as_uri()])

    take(steps, "call", lambda: (calls(), unapproved()))
    take(steps, "roots", roots)
    take(steps, "errors", lambda: same(call("--tool", "read_text_file", "--args", "wrong=1", status=1)["isError"], True))


def memory(caller: Caller, steps) -> None:
    call = caller.call

    def calls() -> None:
        entity = {"name": "Ada ✓", "entityType": "person", "observations": ["wrote the first program"]}
        call("--tool", "create_entities", "--yes", "--args", json.dumps({"entities": [entity]}))
        graph = call("--tool", "read_graph")["structuredContent"]
        same([it["name"] for it in graph["entities"]], ["Ada ✓"])

    def reads() -> None:
        assert "Ada ✓" in call("--read", "memory://knowledge-graph")["contents"][0]["text"]

    take(steps, "call", calls)
    take(steps, "read", reads)
    take(steps, "errors", lambda: same(call("--tool", "search_nodes", "--args", "wrong=1", status=1)["isError"], True))


def clock(caller: Caller, steps) -> None:
    call = caller.call

    def calls() -> None:
        told = json.loads(text(call("--tool", "get_current_time", "--args", "timezone=Etc/UTC")))
        then = datetime.datetime.fromisoformat(told["datetime"])
        assert abs(datetime.datetime.now(datetime.UTC) - then) < datetime.timedelta(minutes=2), told

    take(steps, "call", calls)
    wrong = ("--tool", "get_current_time", "--args", "timezone=No/Where")
    take(steps, "errors", lambda: same(call(*wrong, status=1)["isError"], True))
