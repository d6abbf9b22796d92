"""run.py [--write] WIRELINE TOOLS RMCP [NAME...]: live sessions. See README.md beside this file.

TOOLS holds the virtual environments py1 and py2, and ts with node_modules; RMCP is the program of the folder rmcp. A name is that of a row,
such as py1-ts2, ts2-serve or call-rmcp; by default all are run. With --write the documents are written, otherwise they are compared.
"""

import argparse
import concurrent.futures
import os
import sys
import time

import clients
import pairs
import servers
import table
from harness import Failed, Place, Row, clear, said


def rows_of(place: Place) -> list[tuple[str, str, object]]:
    """The name and the era of every row, and what runs it."""
    rows: list[tuple[str, str, object]] = []
    for client, (_, eras) in clients.CLIENTS.items():
        rows += [(f"{client}-serve", era, lambda c=client, e=era: clients.session(place, c, e)) for era in eras]
    for server, (_, eras) in servers.SERVERS.items():
        rows += [(f"call-{server}", era, lambda s=server, e=era: servers.session(place, s, e)) for era in eras]
    for client in pairs.PEERS:
        rows += [(f"{client}-{server}", "", lambda c=client, s=server: pairs.session(place, c, s)) for server in pairs.PEERS]
    return rows


def told(outcome: Row | str) -> tuple[bool, str]:
    if isinstance(outcome, str):
        return True, outcome
    passed, taken = outcome.counts()
    failures = "".join(f"\n        {failure}" for failure in outcome.failures())
    return not failures, f"{outcome.version}  {passed} of {taken} steps{failures}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    parser.add_argument("wireline")
    parser.add_argument("tools")
    parser.add_argument("rmcp")
    parser.add_argument("names", nargs="*")
    args = parser.parse_intermixed_args()
    if args.write and args.names:
        parser.error("--write needs a run of every row")
    place = Place(args.wireline, args.tools, args.rmcp)
    around = f"Python {sys.version.split()[0]} and Node {said('node', '--version').removeprefix('v')}"
    print(f"{said(place.wireline, '--version')}, {around}", flush=True)

    wanted = [row for row in rows_of(place) if not args.names or row[0] in args.names]
    if unknown := set(args.names) - {name for name, _, _ in wanted}:
        print(f"no such row: {', '.join(sorted(unknown))}")
        return 2
    rows: list[Row] = []
    passed = failed = 0

    def timed(run):
        start = time.monotonic()
        return run(), time.monotonic() - start

    # One more at a time than there are processors: a session is mostly the starts of two programs, and some waiting.
    with concurrent.futures.ThreadPoolExecutor(max_workers=1 + (os.cpu_count() or 1)) as pool:
        runs = [(name, era, pool.submit(timed, run)) for name, era, run in wanted]
        for name, era, future in runs:
            label = f"{name:15} {era:6}"
            try:
                (outcome, folder), seconds = future.result()
                well, words = told(outcome)
                if isinstance(outcome, Row):
                    rows.append(outcome)
                if well:
                    clear(folder)
                else:
                    words += f"\n        what passed is in {folder}"
            except Failed as error:
                well, words, seconds = False, str(error), 0.0
            print(f"{'ok    ' if well else 'FAILED'}  {label}  {seconds:5.1f} s  {words}", flush=True)
            passed, failed = passed + well, failed + (not well)
    print(f"{passed} passed, {failed} failed")
    if failed or not passed:
        return 1
    if args.names:
        return 0
    if args.write:
        table.write(rows, around)
    elif differences := table.differences(rows, around):
        print(f"{differences}\nThe documents say otherwise: `scripts/live --write` writes what was found.")
        return 1
    return 0


sys.exit(main())
