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

SERVERS = {
    "**`wireline.server`**": ("python-bench", "from wireline.server import Server; Server('x').run()", 400_000),
    "SDK 1.x, `FastMCP`": ("sdk1", "from mcp.server.fastmcp import FastMCP; FastMCP('x', log_level='ERROR').run('stdio')", 3000),
    "SDK 2.x, `MCPServer`": ("sdk2", "from mcp.server.mcpserver import MCPServer; MCPServer('x', log_level='ERROR').run('stdio')", 3000),
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


def long_lines():
    rows = {}
    for corpus in ("line-text", "line-dense"):
        values, peaks = [], []
        for _ in range(3):
            found = json.loads(run("python-bench", here / "measure.py", "wireline", corpora / f"{corpus}.ndjson", 1))
            values += found["times"]
            peaks.append(found["peak_kib"])
        rows[corpus] = statistics.median(values), statistics.median(peaks) / 1024
    return rows


def pings():
    rows = {name: [] for name in SERVERS}
    for _ in range(TURNS):
        for name, (venv, program, count) in SERVERS.items():
            rows[name].append(float(run("python-bench", here / "pings.py", count, python(venv), "-c", program)))
    return {name: spread(values) for name, values in rows.items()}


def imports():
    """Milliseconds on a processor that an import takes: by the clock, other work would be in it."""
    code = """import os, subprocess, sys
def once(program):
    before = os.times(); subprocess.run([sys.executable, '-I', '-c', program]); after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system
print(sum(once('import wireline') - once('pass') for _ in range(40)) / 40)"""
    return float(run("python-bench", "-c", code)) * 1000


def main():
    found, lines, pinged, imported = decoding(), long_lines(), pings(), imports()
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
    out += ["", "| a stdio server over pipes | pipelined pings/s | ± | beside ours |", "|---|--:|--:|--:|"]
    ours = next(iter(pinged.values()))[0]
    for name, (middle, off) in pinged.items():
        out.append(f"| {name} | {middle:,.0f} | {off:.0f} % | {ours / middle:,.0f} × |")
    text, dense = lines["line-text"], lines["line-dense"]
    out += [
        "",
        f"One line of 64 MiB in pieces of 64 KiB, taken whole: {text[0]:.2f} s of text, {dense[0]:.2f} s of dense JSON, with {text[1]:.0f} and "
        f"{dense[1]:.0f} MiB of memory at the peak beside the line's own chunks. `import wireline` takes {imported:.1f} ms.",
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
