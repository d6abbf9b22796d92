"""Functions in threads: how many run, what becomes of calls that are given up, and what several threads may do at once."""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import weakref
from typing import Any

import pytest
from sessions import call, connected, in_time, opened, run, said, served

import wireline
from wireline.aio import Client, Session
from wireline.aio._session import UNSENT, RequestContext
from wireline.server import Context, Server

LONG = 20.0
"""Seconds after which what a thread waits for does not come any more."""


def blocking() -> tuple[Server, threading.Event, threading.Semaphore]:
    """A server with a function that waits for an event, and what counts its calls."""
    server = Server("s")
    release, begun = threading.Event(), threading.Semaphore(0)

    @server.tool
    def block(value: Any = None) -> None:
        begun.release()
        release.wait(LONG)

    @server.tool
    def fine() -> str:
        return "fine"

    return server, release, begun


async def all_begun(begun: threading.Semaphore, count: int = 32) -> None:
    for _ in range(count):
        assert await asyncio.to_thread(begun.acquire, timeout=LONG)


def test_a_server_whose_functions_block_stops_no_other() -> None:
    async def main() -> None:
        server, release, begun = blocking()
        other, _, _ = blocking()
        async with connected(server) as first, connected(other) as second:
            calls = [asyncio.create_task(first.call_tool("block")) for _ in range(33)]
            await all_begun(begun)
            assert said(await second.call_tool("fine")) == "fine"
            # No more than 32 of one.
            assert not begun.acquire(blocking=False)
            release.set()
            await asyncio.gather(*calls)

    in_time(main())


class Weighty(dict[str, Any]):
    """Something that can be seen to be let go of."""


def test_nothing_is_kept_of_a_call_that_was_given_up_before_it_began() -> None:
    async def main() -> None:
        server, release, begun = blocking()
        kept: list[weakref.ref[Any]] = []

        def loads(data: bytes) -> Any:
            params = Weighty(json.loads(data))
            params["arguments"] = {"value": Weighty(params["arguments"])}
            kept.append(weakref.ref(params["arguments"]["value"]))
            return params

        server._options["loads"] = loads
        async with served(server) as peer:
            peer.send(*(call(at, "block") for at in range(32)))
            await all_begun(begun)
            del kept[:]
            peer.send(call(32, "block"), call(33, "block"))
            while len(kept) < 2:
                await asyncio.sleep(0.01)
            await asyncio.sleep(0)
            peer.send(
                *(wireline.encode_notification("notifications/cancelled", {"requestId": at}) for at in (32, 33))
            )
            while any(it() is not None for it in kept):
                gc.collect()
                await asyncio.sleep(0.01)
            release.set()
            # They are not called either.
            for _ in range(32):
                await peer.next()
            assert not begun.acquire(blocking=False)

    in_time(main())


@pytest.mark.parametrize("how", ["cancelled", "closed"])
def test_a_thread_that_waits_for_its_client_stops_when_nobody_waits_for_it(how: str) -> None:
    left = threading.Event()
    told = [0]

    async def main() -> None:
        server = Server("s")

        @server.tool
        def tell(context: Context) -> None:
            try:
                while not context.cancelled:
                    told[0] += 1
                    context.progress(told[0], message="x" * 20_000)
            finally:
                left.set()

        async with served(server) as peer:
            request = call(1, "tell").replace(b'"_meta":{', b'"_meta":{"progressToken":1,')
            assert b"progressToken" in request
            peer.send(request)
            # The client takes nothing until the thread has to wait.
            before = -1
            while before != told[0] or told[0] * 20_000 < UNSENT:
                before = told[0]
                await asyncio.sleep(0.3)
            if how == "cancelled":
                peer.send(wireline.encode_notification("notifications/cancelled", {"requestId": 1}))
            else:
                peer.writer.transport.abort()
            # The server's loop goes on meanwhile, and the client still reads nothing.
            assert await asyncio.to_thread(left.wait, LONG)
            peer.writer.transport.abort()

    in_time(main())


def test_a_thread_that_waits_for_its_client_stops_with_the_loop() -> None:
    """Nobody runs what it has asked of the loop."""
    left = threading.Event()

    async def main() -> threading.Thread:
        async with opened() as (client, _):
            session = client.session
            session._choked = True
            context = RequestContext.__new__(RequestContext)
            context.cancelled = False

            def tell() -> None:
                session.tell(lambda: None, context)
                left.set()

            thread = threading.Thread(target=tell, daemon=True)
            # The loop ends before it takes a turn.
            block = threading.Event()
            asyncio.get_running_loop().call_soon(block.wait, 0.5)
            thread.start()
            return thread

    in_time(main())
    assert left.wait(LONG)


def test_what_is_offered_changes_while_sessions_come_and_go_and_list_it() -> None:
    """Were a table or the sessions walked while they change, this would raise sooner or later."""
    server = Server("s")
    stop = threading.Event()
    errors: list[BaseException] = []

    def change(number: int) -> None:
        try:
            at = 0
            while not stop.is_set():
                at += 1
                server.tool(name=f"t{number}-{at}")(lambda: None)
                server.resource(f"x://{number}/{at}")(lambda: "x")
                server.resource_updated(f"x://{number}/{at}")
                server.remove(f"t{number}-{at}")
                server.remove(f"x://{number}/{at}")
        except BaseException as error:
            errors.append(error)

    for at in range(300):
        server.tool(name=f"kept{at}")(lambda: None)
    server.resource("x://kept")(lambda: "x")

    async def main() -> None:
        for _ in range(10):
            async with connected(server) as client:
                assert len(await client.list_tools()) >= 300
                assert isinstance(await client.list_resources(), list)
                with pytest.raises(Exception, match="not found"):
                    await client.read_resource("y://")
        sessions: list[Session] = []
        for _ in range(2000):
            reader = asyncio.StreamReader()
            sessions.append(server.session(reader, None))  # type: ignore[arg-type]
            if len(sessions) > 50:
                del sessions[:25]
            assert len(server.tools) >= 300

    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    threads = [threading.Thread(target=change, args=(number,)) for number in range(3)]
    try:
        for it in threads:
            it.start()
        in_time(main())
    finally:
        stop.set()
        for it in threads:
            it.join()
        sys.setswitchinterval(before)
    assert errors == []


def test_threads_end_when_they_are_not_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    from wireline.server import _threads

    monkeypatch.setattr(_threads, "IDLE", 0.05)
    server, release, begun = blocking()
    release.set()

    def ours() -> list[threading.Thread]:
        return [it for it in threading.enumerate() if it.name.startswith("wireline-")]

    before = set(ours())

    async def body(client: Client) -> None:
        await asyncio.gather(*(client.call_tool("block") for _ in range(50)))
        while set(ours()) - before:
            await asyncio.sleep(0.02)
        # And begin again.
        assert said(await client.call_tool("fine")) == "fine"

    run(body, server)
