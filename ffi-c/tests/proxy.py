"""Drives the proxy example: a body of 1 GiB goes through it, and its memory is measured.

usage: proxy.py PROGRAM [MEBIBYTES]
"""

import hashlib
import subprocess
import sys
import threading


def peak(pid):
    """The most memory that the process has had, in KiB; 0 once it has ended."""
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return next((int(line.split()[1]) for line in status if line.startswith("VmHWM")), 0)


def main():
    program = sys.argv[1]
    size = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    # Small lines first, whose bytes are known; one is broken.
    small = subprocess.run(
        [program],
        input=b'{"result":{"n":[1,\r2]},"jsonrpc":"2.0","id":"a"}\nnoise\n{"jsonrpc":"2.0","method":"x"}\n'
        b'{"jsonrpc":"2.0","id":1,"method":"y","params":{"a":[1,,',
        capture_output=True,
        check=True,
    )
    expected = (
        b'{"jsonrpc":"2.0","result":{"n":[1,2]},"id":1000}\n{"jsonrpc":"2.0","method":"x"}\n'
        b'{"jsonrpc":"2.0","id":1001,"method":"y","params":{'
    )
    # How much of a broken body has left depends on the pieces that it came in.
    assert small.stdout.startswith(expected) and small.stdout.count(b"\n") == 3, small.stdout
    assert small.stderr.count(b"proxy: ") == 2, small.stderr

    piece = (b'"' + b"0123456789abcde" * 69905 + b'",').ljust(1 << 20, b" ")
    begin, end = b'{"result":{"list":[', b'0]},"jsonrpc":"2.0","id":7}\n'
    want = hashlib.sha256(b'{"jsonrpc":"2.0",' + begin[1:])
    got, most = hashlib.sha256(), 0
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def write():
        process.stdin.write(begin)
        for _ in range(size):
            process.stdin.write(piece)
            want.update(piece)
        process.stdin.write(end)
        want.update(b'0]},"id":1000}\n')
        process.stdin.close()

    writer = threading.Thread(target=write)
    writer.start()
    total = 0
    while chunk := process.stdout.read1(1 << 20):
        got.update(chunk)
        total += len(chunk)
        if total % 64 == 0 or total > (size - 1) << 20:
            most = max(most, peak(process.pid)) if process.poll() is None else most
    writer.join()
    assert process.wait() == 0
    assert got.hexdigest() == want.hexdigest(), "the body is not what it was"
    assert 0 < most < 3072, f"{most} KiB at most"
    print(f"a body of {total >> 20} MiB through 4 KiB, unchanged; {most} KiB of memory at most")


main()
