"""table.py CORPORA VENVS [--write]: runs the measurements in turns, and prints the table."""

import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys

corpora, venvs = map(pathlib.Path, sys.argv[1:3])
here = pathlib.Path(__file__).parent
root = here.parent.parent
# Each method is measured in so many processes, in turns, so many rounds in each.
TURNS = 3

TOOL = """
async def add(a: int, b: int) -> int:
    return a + b
"""
# Where, the program, and how many pings and how many calls of a tool are sent at once.
SERVERS = {
    "**`wireline.server`**": (
        "python-bench",
        f"from wireline.server import Server; server = Server('x'){TOOL}server.tool(add); server.run()",
        400_000,
        20_000,
    ),
    "SDK 1.x, `FastMCP`": (
        "sdk1",
        f"from mcp.server.fastmcp import FastMCP; server = FastMCP('x', log_level='ERROR'){TOOL}server.tool()(add); server.run('stdio')",
        3000,
        2000,
    ),
    "SDK 2.x, `MCPServer`": (
        "sdk2",
        f"from mcp.server.mcpserver import MCPServer; server = MCPServer('x', log_level='ERROR'){TOOL}server.tool()(add); server.run('stdio')",
        3000,
        2000,
    ),
}


def python(venv):
    return str(venvs / venv / "bin/python")


def run(venv, *arguments):
    done = subprocess.run([python(venv), *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{arguments} failed:\n{done.stderr[-2000:]}")
    return done.stdout.splitlines()[-1]


def version(venv, name):
    return run(venv, "-c", f"import importlib.metadata as m; print(m.version({name!r}))")


METHODS = {
    "wireline": ("**`wireline.Decoder`**, 64 KiB pieces", "python-bench", 5, 5),
    "wireline-whole": ("**`wireline.Decoder`**, whole in one `bytes`", "python-bench", 5, 5),
    "msgspec": (f"`msgspec` {version('python-bench', 'msgspec')}, typed envelope, bodies as `Raw`", "python-bench", 5, 5),
    "wireline-orjson": ("**`wireline.Decoder`**, and every body read by `orjson`", "python-bench", 3, 2),
    "orjson": (f"`orjson` {version('python-bench', 'orjson')}", "python-bench", 3, 2),
    "json": ("`json`", "python-bench", 2, 1),
    "sdk2": (f"SDK {version('sdk2', 'mcp')}, its parser", "sdk2", 2, 1),
    "sdk1": (f"SDK {version('sdk1', 'mcp')}, its parser", "sdk1", 2, 1),
}


def spread(values):
    """The median, and how far the quartiles are from it, in per cent."""
    middle = statistics.median(values)
    if len(values) < 4:
        return middle, 100 * (max(values) - min(values)) / 2 / middle
    low, _, high = statistics.quantiles(values, n=4)
    return middle, 100 * (high - low) / 2 / middle


def decoding():
    rows, sums = {}, {}
    for corpus in ("small", "mixed"):
        times = {name: [] for name in METHODS}
        for _ in range(TURNS):
            for name, (_, venv, small, mixed) in METHODS.items():
                what = "sdk" if name.startswith("sdk") else name
                rounds = max(2, small if corpus == "small" else mixed)
                found = json.loads(run(venv, here / "measure.py", what, corpora / f"{corpus}.ndjson", rounds))
                times[name] += found["times"]
                sums.setdefault(corpus, {})[name] = found["sum"], found["messages"]
        if len(set(sums[corpus].values())) != 1:
            sys.exit(f"the methods read different things in {corpus}: {sums[corpus]}")
        for name, values in times.items():
            middle, off = spread(values)
            rows[corpus, name] = (found["messages"] / middle, found["bytes"] / middle / 1e6, off)
    return rows


# Who reads the line of 64 MiB: ours in pieces, as it comes; the others are given it whole.
LONG = ("wireline", "msgspec", "orjson", "json", "sdk2", "sdk1")


def long_lines():
    found = {name: {"line-text": [], "line-dense": []} for name in LONG}
    for _ in range(TURNS):
        for name, corpora_of in found.items():
            what, venv = "sdk" if name.startswith("sdk") else name, METHODS[name][1]
            for corpus, values in corpora_of.items():
                told = json.loads(run(venv, here / "measure.py", what, corpora / f"{corpus}.ndjson", 1, "--whole"))
                values.append((told["times"][0], told["peak_kib"] / 1024))
    return {
        name: [statistics.median(column) for values in corpora_of.values() for column in zip(*values)]
        for name, corpora_of in found.items()
    }


def serving():
    rows = {}
    for name, (venv, program, pings, calls) in SERVERS.items():
        rows[name] = {"ping": [], "call": []}
    for _ in range(TURNS):
        for name, (venv, program, pings, calls) in SERVERS.items():
            for what, count in (("ping", pings), ("call", calls)):
                rows[name][what].append(float(run("python-bench", here / "pings.py", what, count, python(venv), "-c", program)))
    return {name: {what: spread(values) for what, values in row.items()} for name, row in rows.items()}


def imports():
    """Milliseconds on a processor that an import takes: by the clock, other work would be in it."""
    code = """import os, subprocess, sys
def once(program):
    before = os.times(); subprocess.run([sys.executable, '-I', '-c', program]); after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system
print(sum(once('import wireline') - once('pass') for _ in range(40)) / 40)"""
    return float(run("python-bench", "-c", code)) * 1000


def main():
    found, lines, served, imported = decoding(), long_lines(), serving(), imports()
    base = found["small", "wireline"][0]
    out = [
        "| reads kind, id and method of every message | small (240 B), messages/s | MB/s | ± | mixed (5.9 KB), messages/s | MB/s | ± | small, beside ours |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, (label, *_) in METHODS.items():
        small, mixed = found["small", name], found["mixed", name]
        out.append(
            f"| {label} | {small[0]:,.0f} | {small[1]:.0f} | {small[2]:.0f} % | {mixed[0]:,.0f} | {mixed[1]:.0f} | {mixed[2]:.0f} % | {base / small[0]:.1f} × |"
        )
    out += [
        "",
        "| a stdio server over pipes, pipelined | pings/s | ± | beside ours | calls of an async tool/s | ± | beside ours |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    ours = next(iter(served.values()))
    for name, row in served.items():
        cells = [
            f"{row[what][0]:,.0f} | {row[what][1]:.0f} % | {ours[what][0] / row[what][0]:,.0f} ×" for what in ("ping", "call")
        ]
        out.append(f"| {name} | {' | '.join(cells)} |")
    out += [
        "",
        "| one line of 64 MiB | text, s | MiB at the peak | dense JSON, s | MiB at the peak |",
        "|---|--:|--:|--:|--:|",
    ]
    for name, (text, text_peak, dense, dense_peak) in lines.items():
        how = METHODS[name][0] + ("" if name == "wireline" else ", the line whole at once")
        out.append(f"| {how} | {text:.2f} | {text_peak:.0f} | {dense:.2f} | {dense_peak:.0f} |")
    out += [
        "",
        f"Memory is beside the line's own bytes. `import wireline` takes {imported:.1f} ms.",
        "",
        f"Python {platform.python_version()}, {os.cpu_count()} processors, shared with other work; time on a processor, pings by the clock; medians of {TURNS} processes' rounds in "
        "turns, ± is half the distance of the quartiles. All methods must have read the same: their sums are compared. `bench/python/run --write` writes this.",
    ]
    table = "\n".join(out)
    print(table)
    if "--write" in sys.argv:
        path = root / "docs/python.md"
        before, _, rest = path.read_text().partition("<!-- python-speed:begin -->")
        _, _, after = rest.partition("<!-- python-speed:end -->")
        path.write_text(f"{before}<!-- python-speed:begin -->\n\n{table}\n\n<!-- python-speed:end -->{after}")


main()
