"""run.py WIRELINE TOOLS LOG_READER NAME=TARGET=IMAGE... : runs the demo images on emulated boards. See README.md beside this file.

Each answers a session of literal bytes and then the official SDKs' clients, unmodified. TOOLS holds the SDKs, or is `-` to leave them out; the
name of an image ends with the language that its resource tells of. Prints a table, and `stack IMAGE BYTES` for each image.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile
import time

from board import Failed, command
from host import breaks, restarts
from lines import session

HERE = pathlib.Path(__file__).resolve().parent
INFO = {
    "thumbv6m-none-eabi": "microbit, Cortex-M0",
    "thumbv7em-none-eabihf": "mps2-an386, Cortex-M4",
    "riscv32imac-unknown-none-elf": "hifive1, RV32IMAC",
}
CLIENTS = [("py1", "legacy"), ("py2", "legacy"), ("py2", "modern"), ("ts1", "legacy"), ("ts2", "legacy"), ("ts2", "modern")]

# Through `wireline bridge`, as to a real board: the emulator has its UART on a socket.
BRIDGED = ("py2", "modern")

# A client that has not ended by then never will.
SECONDS = 60


def bridged(wireline: str, tools: str, info: str, target: str, image: str) -> str | None:
    """Runs a client whose server is the bridge; what went wrong, if something did."""
    with tempfile.TemporaryDirectory(prefix="wireline-line-") as folder:
        line = os.path.join(folder, "line")
        emulator = command(target, image)
        emulator[emulator.index("stdio")] = f"unix:{line},server=on,wait=off"
        board = subprocess.Popen(emulator, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            return client(tools, *BRIDGED, info, [wireline, "bridge", f"unix:{line}"])
        finally:
            board.kill()
            board.wait()


def sdk(wireline: str, tools: str, peer: str, era: str, info: str, target: str, image: str) -> str | None:
    """Runs a client that starts the emulator; what went wrong, if something did."""
    server = command(target, image)
    if peer.startswith("ts") and target.startswith("riscv"):
        # Node's end of a child's pipes is a socket that holds some 270 writes, and this UART's model drops the bytes for which there is no room.
        server = [wireline, "tap", "--quiet", "--", *server]
    return client(tools, peer, era, info, server)


def client(tools: str, peer: str, era: str, info: str, server: list[str]) -> str | None:
    """Runs a client of this server; what went wrong, if something did."""
    if peer.startswith("ts"):
        program = ["node", str(pathlib.Path(tools, "ts", f"sdk_{peer}.mjs"))]
    else:
        program = [str(pathlib.Path(tools, peer, "bin", "python")), str(HERE / f"sdk_{peer}.py")]
    # A group of its own, so that an emulator that is left behind ends with it.
    process = subprocess.Popen(
        [*program, era, info, *server],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        said, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, 9)
        said, _ = process.communicate()
        return f"it did not end:\n{said[-1500:]}"
    return None if process.returncode == 0 else f"status {process.returncode}:\n{said[-1500:]}"


def literal(name: str, target: str, image: str, info: str, reader: str) -> tuple[str | None, str, int]:
    """The literal session; what went wrong, how many steps went well, and the stack's depth."""
    facts = {"INFO": info}
    with tempfile.TemporaryDirectory(prefix="wireline-log-") as folder:
        log = os.path.join(folder, "log") if "log" in name else None
        if log:
            facts["TYPED"] = "yes"
        steps, stack = session(target, image, facts, log)
        wrong = [f"{step}: {how}" for step, how in steps.items() if how]
        if log:
            wrong += logged(reader, image, log)
    return "\n".join(wrong) or None, f"{sum(how is None for how in steps.values())}/{len(steps)}", stack


def logged(reader: str, image: str, log: str) -> list[str]:
    """What is wrong with a log, read as its tool does."""
    with open(log, "rb") as data:
        outcome = subprocess.run([reader, "-e", image], stdin=data, capture_output=True, text=True, timeout=SECONDS)
    wanted = ["serving on", "3 samples, mean 2148", "not-json at byte 0", "too-long at byte"]
    return [f"the log does not say `{line}`:\n{outcome.stdout[-1000:]}{outcome.stderr[-500:]}" for line in wanted if line not in outcome.stdout]


def main() -> int:
    wireline, tools, reader, *images = sys.argv[1:]
    clients = CLIENTS if tools != "-" else []
    jobs = {}
    start = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(max_workers=1 + (os.cpu_count() or 1)) as pool:
        for given in images:
            name, target, image = given.split("=", 2)
            info = f"{INFO[target]}, {'C' if name.startswith('c') else 'Rust'}"
            jobs[name, "bytes"] = pool.submit(literal, name, target, image, info, reader)
            for peer, era in clients if "log" not in name else []:
                jobs[name, f"{peer} {era}"] = pool.submit(sdk, wireline, tools, peer, era, info, target, image)
            if "log" not in name:
                jobs[name, "restarts"] = pool.submit(restarts, wireline, target, image)
            if target == "thumbv6m-none-eabi":
                jobs[name, "breaks"] = pool.submit(breaks, target, image)
            if clients and name.endswith("-m4"):
                jobs[name, "bridge"] = pool.submit(bridged, wireline, tools, info, target, image)
    heads = ["bytes", "restarts", "breaks", *(f"{peer} {era}" for peer, era in clients), *(["bridge"] if clients else [])]
    print(f"| image | {' | '.join(heads)} |\n|---{'|---' * len(heads)}|")
    failures, stacks = [], []
    for name in dict.fromkeys(name for name, _ in jobs):
        cells = []
        for head in heads:
            if (name, head) not in jobs:
                cells.append("–")
                continue
            try:
                outcome = jobs[name, head].result()
                wrong = outcome[0] if head == "bytes" else outcome
                cells.append("FAILED" if wrong else outcome[1] if head == "bytes" else "well")
                if head == "bytes":
                    stacks.append(f"stack {name} {outcome[2]}")
            except (Failed, OSError, subprocess.SubprocessError) as error:
                wrong = str(error)
                cells.append("FAILED")
            if wrong:
                failures.append(f"{name}, {head}: {wrong}")
        print(f"| {name} | {' | '.join(cells)} |")
    print("\n".join(stacks))
    print(f"{len(jobs) - len(failures)} of {len(jobs)} runs went well, in {time.monotonic() - start:.0f} s")
    print("\n".join(failures), file=sys.stderr)
    return 1 if failures or not jobs else 0


sys.exit(main())
