"""relay.py DIRECTORY SIDE -- COMMAND...: passes bytes between standard streams and a command, and keeps a copy.

SIDE `front` makes a directory of its own in DIRECTORY for each run, since a client may start its server more than once, and puts it in place
of `@RUN@` in the command. SIDE `behind` writes into DIRECTORY. The copies are SIDE.c2s and SIDE.s2c; SIDE.status, written last, holds the
command's exit status.
"""

import os
import signal
import subprocess
import sys
import tempfile
import threading

CHUNK = 64 * 1024


def write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def main() -> int:
    directory, side, dashes, *command = sys.argv[1:]
    assert dashes == "--" and command, __doc__
    if side == "front":
        directory = tempfile.mkdtemp(prefix="run-", dir=directory)
        command = [part.replace("@RUN@", directory) for part in command]

    received = []
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _frame: received.append(number))
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def pump(source: int, target: int, name: str) -> None:
        with open(os.path.join(directory, f"{side}.{name}"), "wb", buffering=0) as copy:
            while data := os.read(source, CHUNK):
                copy.write(data)
                try:
                    write_all(target, data)
                except BrokenPipeError:
                    return

    def inward() -> None:
        pump(0, child.stdin.fileno(), "c2s")
        child.stdin.close()

    threading.Thread(target=inward, daemon=True).start()
    outward = threading.Thread(target=pump, args=(child.stdout.fileno(), 1, "s2c"))
    outward.start()
    while True:
        try:
            status = child.wait(timeout=0.02)
            break
        except subprocess.TimeoutExpired:
            while received:
                child.send_signal(received.pop(0))
    outward.join()
    status = status if status >= 0 else 128 - status
    with open(os.path.join(directory, f"{side}.status"), "w") as file:
        file.write(str(status))
    os._exit(status)


main()
