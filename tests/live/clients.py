"""Other people's clients with `wireline serve`."""

import json
import subprocess
import sys

from harness import ERAS, SESSION_SECONDS, STEPS, Failed, Place, Row, cancelled, ended_well, expect, new_folder, take

BOTH = tuple(ERAS)
CLIENTS = {
    "ts1": ("TypeScript SDK 1", ("legacy",)),
    "ts2": ("TypeScript SDK 2", BOTH),
    "py1": ("Python SDK 1", ("legacy",)),
    "py2": ("Python SDK 2", BOTH),
    "rmcp": ("rmcp", BOTH),
    "fastmcp": ("FastMCP", BOTH),
    "inspector": ("MCP Inspector, command line", BOTH),
}

# Small pages, so that cursors have to be followed.
SERVE = ("serve", "--page-size", "4", "--root")


def session(place: Place, client: str, era: str) -> Row:
    folder = new_folder()
    try:
        serve = place.recorded(folder, place.wireline, *SERVE, str(folder / "files"))
        if client == "inspector":
            version, steps = inspector(place, era, serve, folder)
        else:
            version, steps = programmed(place, client, era, serve, folder)
        take(steps, "wire", lambda: place.check(folder))
        # This SDK tries what a server speaks on a process of its own, and ends that by a signal.
        take(steps, "end", lambda: ended_well(folder, "others" if client == "ts2" and era == "modern" else "none"))
        if missing := STEPS.keys() ^ steps.keys():
            raise Failed(f"these steps are not known, or were left out: {missing}")
    except (Failed, subprocess.SubprocessError, OSError, ValueError, LookupError) as error:
        raise Failed(f"{error}; what passed is in {folder}") from error
    return Row(CLIENTS[client][0], version, "client", era, steps), folder


def programmed(place: Place, client: str, era: str, serve: list[str], folder) -> tuple[str, dict]:
    program = [place.rmcp] if client == "rmcp" else place.own("try", client)
    outcome = subprocess.run(
        [*program, era, str(folder / "files"), *serve],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        timeout=SESSION_SECONDS,
        text=True,
    )
    expect(outcome.returncode == 0, f"the client ended with {outcome.returncode}:\n{outcome.stderr[-3000:]}")
    report = json.loads(outcome.stdout.splitlines()[-1])
    expect(report["revision"] == ERAS[era], f"revision {report['revision']} was spoken")
    steps = report["steps"]
    if any(how and "failed" in how for how in steps.values()):
        print(outcome.stderr[-3000:], file=sys.stderr)
    if steps["cancel"] is None:
        take(steps, "cancel", lambda: cancelled(folder, "hang"))
    return report["version"] or place.crate("rmcp"), steps


NOT_OFFERED = {
    "progress": "does not do that",
    "cancel": "does not do that",
    "complete": "has no method for it",
    "elicit": "declares no capability for it",
    "sample": "declares no capability for it",
    "roots": "declares no capability for it",
    "updates": "does not stay to wait for any",
    "ping": "has no method for it",
}


def inspector(place: Place, era: str, serve: list[str], folder) -> tuple[str, dict]:
    """A process for each method."""
    steps: dict[str, dict | None] = {name: {"none": f"its command line {why}"} for name, why in NOT_OFFERED.items()}

    def run(method: str, *args: str, status: int = 0):
        # It keeps a catalogue of servers, which is not to be the user's own.
        outcome = subprocess.run(
            [*place.node_bin("mcp-inspector"), "--cli", "--protocol-era", era, "--method", method, *args, "--", *serve],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=SESSION_SECONDS,
            env=place.environment(MCP_CATALOG_PATH=str(folder / "catalogue.json")),
            text=True,
        )
        told = f"{outcome.stdout[-1000:]}{outcome.stderr[-1000:]}"
        expect(outcome.returncode == status, f"status {outcome.returncode} instead of {status}: {told}")
        return json.loads(outcome.stdout) if outcome.stdout else json.loads(outcome.stderr.splitlines()[-1])

    def opens() -> None:
        told = run("initialize")
        assert told["serverInfo"]["name"] == "wireline-serve", told
        assert told["protocolVersion"] == ERAS[era], told

    def lists(method: str, member: str, name: str, wanted: set[str]) -> None:
        found = {entry[name] for entry in run(method)[member]}
        assert wanted <= found, found

    def calls() -> None:
        told = run("tools/call", "--tool-name", "echo", "--tool-arg", "text=héllo 😀 \u2028 \u202e.")
        assert told["content"] == [{"type": "text", "text": "héllo 😀 \u2028 \u202e."}], told
        told = run("tools/call", "--tool-name", "add", "--tool-arg", "a=2", "b=3")
        assert told["structuredContent"] == {"sum": 5}, told
        told = run("tools/call", "--tool-name", "fail", "--tool-arg", "message=boom ✗", status=5)
        assert told["isError"] is True and told["content"][0]["text"] == "boom ✗", told

    def reads() -> None:
        told = run("resources/read", "--uri", "file:///hello.txt")
        assert told["contents"][0]["text"] == "Hello, wörld 😀", told

    def gets() -> None:
        told = run("prompts/get", "--prompt-name", "greet", "--prompt-args", "name=Ada", "tone=terse")
        assert told["messages"][0]["content"]["text"] == "Please greet Ada, and be terse.", told

    def errors() -> None:
        told = run("prompts/get", "--prompt-name", "greet", status=1)
        assert "name" in told["error"]["message"], told
        told = run("resources/read", "--uri", "file:///nowhere", status=1)
        assert "not found" in told["error"]["message"], told

    def logs() -> None:
        run("logging/setLevel", "--log-level", "warning")

    take(steps, "open", opens)
    take(steps, "tools", lambda: lists("tools/list", "tools", "name", {"echo", "log", "ask"}))
    uris = {"file:///hello.txt", "file:///data.bin", "file:///notes/a%20b.md"}
    take(steps, "resources", lambda: lists("resources/list", "resources", "uri", uris))
    take(steps, "templates", lambda: lists("resources/templates/list", "resourceTemplates", "uriTemplate", {"file:///{path}"}))
    take(steps, "prompts", lambda: lists("prompts/list", "prompts", "name", {"greet", "summarize"}))
    take(steps, "call", calls)
    take(steps, "read", reads)
    take(steps, "get", gets)
    take(steps, "errors", errors)
    if era == "legacy":
        take(steps, "log", logs)
    else:
        steps["log"] = {"none": "2026-07-28 sets no level for a session"}
    return place.npm("@modelcontextprotocol/inspector"), steps
