"""docs/interop.md and the table of README.md, made of the rows of a run."""

import datetime
import difflib
import pathlib

from harness import ERAS, STEPS, Row

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "interop.md"
README = ROOT / "README.md"
BEGIN, END = "<!-- interop:begin -->", "<!-- interop:end -->"

HEAD = """\
# Interoperability

What `scripts/live` found; it is a part of `make proof`, which fails if what it finds is not what stands here. `scripts/live --write` writes this
page, and the table in the README.

{date}, with {around}. The versions are pinned in `scripts/versions.sh`. Each row is sessions between two
processes over standard input and output, with `wireline tap` between them.

| mark | |
|---|---|
| ✓ | every assertion of the step held, seen from the outside: through the peer's own interface, or in what `wireline call --json` prints |
| – | one side does not offer it; the reason is below the table |
| ✗ | it went wrong |

| step | what it asserts |
|---|---|
| opens | the handshake or the discovery, or the one after the other has failed; the revision that comes of it; the server's name |
| tools, resources, templates, prompts | the lists, following cursors (`wireline serve` gives four entries a page) |
| calls | text of every awkward kind, lines longer than a pipe holds, structured results, a tool that fails |
| progress | each step is told, in order, under the token that was given |
| cancels | `notifications/cancelled` with the id of the call, which is not answered; the session goes on |
| reads, gets, completes | text and binary resources, a prompt with arguments, completion of an argument |
| errors | unknown names and methods, bad parameters: the code of the revision, and the session goes on |
| elicitation, sampling, roots | the server asks its client, in the way of the era |
| logs, updates, pings | log messages from a level on, changes of a watched resource, `ping` |
| clean | `wireline check` finds no fault in anything that passed |
| ends | when standard input closes the server ends by itself with status 0, and no process is left |
"""

PARTS = {
    "client": ("Clients of `wireline serve`", "The peer is the client, `wireline serve` the server."),
    "server": ("Servers that `wireline call` talked to", "The peer is the server, `wireline call` the client."),
}


def mark(how: dict | None) -> str:
    if how is None:
        return "✓"
    return "–" if "none" in how else "✗"


def note(why: str, steps: dict[str, list[str]], everyone: set[str]) -> str:
    """A reason, the steps that it is given for, and the peers, by steps that have the same ones."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for step, peers in steps.items():
        groups.setdefault(tuple(peers), []).append(step)
    return f"{why}: " + "; ".join(
        f"{', '.join(names)} ({'all' if set(peers) == everyone else ', '.join(peers)})" for peers, names in groups.items()
    )


def document(rows: list[Row], around: str) -> str:
    date = f"Run on {datetime.datetime.now(datetime.UTC):%Y-%m-%d}"
    parts = [HEAD.format(date=date, around=around)]
    for role, (title, words) in PARTS.items():
        parts.append(f"\n## {title}\n\n{words}\n\n")
        parts.append(f"| peer | version | revision | {' | '.join(STEPS.values())} |\n|---|---|---|{':-:|' * len(STEPS)}\n")
        notes: dict[str, dict[str, list[str]]] = {}
        those = [row for row in rows if row.role == role]
        everyone = {row.peer for row in those}
        for row in those:
            marks = " | ".join(mark(row.steps[name]) for name in STEPS)
            parts.append(f"| {row.peer} | {row.version} | {ERAS[row.era]} | {marks} |\n")
            for name, head in STEPS.items():
                if (how := row.steps[name]) and "none" in how:
                    peers = notes.setdefault(how["none"], {}).setdefault(head, [])
                    peers += [row.peer] if row.peer not in peers else []
        parts.append("\n")
        parts += [f"* {note(why, steps, everyone)}\n" for why, steps in notes.items()]
    return "".join(parts)


def readme(rows: list[Row]) -> str:
    """One line for each peer: the revisions that were spoken, and the steps that passed of those that there are."""
    peers: dict[tuple[str, str], dict[str, list[str]]] = {}
    for row in rows:
        passed, taken = row.counts()
        cells = peers.setdefault((row.peer, row.version), {})
        cells.setdefault(row.role, []).append(f"{ERAS[row.era]}: {passed}/{taken}")
    lines = [
        "Steps that passed, of those that both sides offer; [docs/interop.md](docs/interop.md) has them one by one:",
        "",
        "| peer | version | client of `wireline serve` | server of `wireline call` |",
        "|---|---|---|---|",
    ]
    for (peer, version), cells in peers.items():
        columns = [", ".join(cells[role]) if role in cells else "" for role in PARTS]
        lines.append(f"| {peer} | {version} | {' | '.join(columns)} |")
    return "\n".join(lines)


def with_table(text: str, table: str) -> str:
    before, _, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"README.md has no {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def write(rows: list[Row], around: str) -> None:
    DOCUMENT.write_text(document(rows, around))
    README.write_text(with_table(README.read_text(), readme(rows)))


def differences(rows: list[Row], around: str) -> str:
    """What is not as it stands in the documents; neither the date nor the versions of Python and Node count."""
    out = []
    for path, made in ((DOCUMENT, document(rows, around)), (README, with_table(README.read_text(), readme(rows)))):
        stands, found = (table_lines(text) for text in (path.read_text() if path.exists() else "", made))
        out += difflib.unified_diff(stands, found, path.name, "found", lineterm="", n=0)
    return "\n".join(out)


def table_lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(("|", "*"))]
