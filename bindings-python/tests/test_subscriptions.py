"""What a client asks to be told of, and what a server tells."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from sessions import META, Peer, connected, in_time, opened, served

import wireline
from wireline.aio import Client, ConnectionClosed, RequestError, SubscriptionError
from wireline.server import Server

X, Y = "file:///x", "file:///y"
TAG = "io.modelcontextprotocol/subscriptionId"


def tagged(identity: Any) -> dict[str, Any]:
    return {"_meta": {TAG: identity}}


def acknowledge(peer: Peer, request: Any, **notifications: Any) -> None:
    params = {"notifications": notifications, **tagged(request["id"])}
    peer.send(wireline.encode_notification("notifications/subscriptions/acknowledged", params))


def end(peer: Peer, request: Any, how: str) -> None:
    if how == "result":
        peer.send(wireline.encode_result(request["id"], {"resultType": "complete", **tagged(request["id"])}))
    elif how == "cancelled":
        peer.send(wireline.encode_notification("notifications/cancelled", {"requestId": request["id"]}))
    elif how == "error":
        peer.send(wireline.encode_error(request["id"], -32603, "too many subscriptions"))
    else:
        peer.writer.close()


WAYS = [("result", SubscriptionError), ("cancelled", SubscriptionError), ("error", RequestError), ("close", ConnectionClosed)]


@pytest.mark.parametrize(("how", "error"), WAYS)
def test_a_subscription_that_ends_before_it_begins(how: str, error: type[Exception]) -> None:
    async def main() -> None:
        async with opened() as (client, peer):

            async def subscribe() -> None:
                async with client.subscribed(X):
                    raise AssertionError("it was never acknowledged")

            task = asyncio.create_task(subscribe())
            end(peer, await peer.asked("subscriptions/listen"), how)
            with pytest.raises(error):
                await task
            assert client.session.connection.in_flight == (0, 0)

    in_time(main())


@pytest.mark.parametrize(("how", "error"), WAYS)
def test_a_block_can_see_that_its_subscription_has_ended(
    how: str, error: type[Exception], caplog: pytest.LogCaptureFixture
) -> None:
    async def main() -> None:
        async with opened() as (client, peer):
            begun = asyncio.Event()

            async def subscribe() -> str:
                async with client.subscribed(X) as subscription:
                    assert subscription.notifications == {"resourceSubscriptions": [X]}
                    assert subscription.open
                    begun.set()
                    try:
                        await subscription.ended()
                    except Exception as caught:
                        assert type(caught) is error
                        raised = True
                    else:
                        raised = False
                    assert raised is (how in ("error", "close"))
                    assert not subscription.open
                    # The block goes on.
                    await asyncio.sleep(0)
                    return "went on"

            task = asyncio.create_task(subscribe())
            request = await peer.asked("subscriptions/listen")
            acknowledge(peer, request, resourceSubscriptions=[X])
            await begun.wait()
            end(peer, request, how)
            assert await task == "went on"
            assert client.session.connection.in_flight == (0, 0)

    in_time(main())
    warned = [it.getMessage() for it in caplog.records if it.levelno == logging.WARNING]
    expected = "the server has ended a subscription"
    if how == "error":
        expected += ": too many subscriptions (-32603)"
    assert warned == ([] if how == "close" else [expected])


def test_who_waits_for_the_end_of_a_subscription_is_not_left_waiting_when_its_block_is_left() -> None:
    async def main() -> None:
        server = Server("s")
        server.resource(X)(lambda: "")
        for revision in ("2025-11-25", "2026-07-28"):
            async with connected(server, revision) as client:
                async with client.subscribed(X) as subscription:
                    waiting = asyncio.create_task(subscription.ended())
                    await asyncio.sleep(0)
                    assert not waiting.done() and subscription.open
                await waiting
                assert not subscription.open

    in_time(main())


def test_a_legacy_subscription_ends_with_the_connection() -> None:
    async def main() -> None:
        server = Server("s")
        server.resource(X)(lambda: "")
        async with connected(server, "2025-11-25") as client, client.subscribed(X) as subscription:
            client.session._writer.close()
            with pytest.raises(ConnectionClosed):
                await subscription.ended()
            assert not subscription.open

    in_time(main())


@pytest.mark.parametrize(
    ("uris", "lists", "granted", "fits"),
    [
        ((X, Y), False, {"resourceSubscriptions": [X]}, False),
        ((X,), True, {"toolsListChanged": True}, False),
        ((), True, {}, False),
        ((), True, {"promptsListChanged": True}, True),
        ((X,), True, {"resourceSubscriptions": [X]}, True),
    ],
)
def test_a_block_does_not_run_that_is_told_of_less_than_it_asked_for(
    uris: tuple[str, ...], lists: bool, granted: dict[str, Any], fits: bool
) -> None:
    async def main() -> None:
        async with opened() as (client, peer):
            seen: list[Any] = []

            async def subscribe() -> None:
                async with client.subscribed(*uris, lists=lists) as subscription:
                    seen.append(subscription.notifications)

            task = asyncio.create_task(subscribe())
            request = await peer.asked("subscriptions/listen")
            acknowledge(peer, request, **granted)
            if fits:
                await task
                assert seen == [granted]
            else:
                with pytest.raises(SubscriptionError, match="does not tell of changes"):
                    await task
            # In either case nothing more is to be told.
            assert (await peer.asked("notifications/cancelled"))["params"]["requestId"] == request["id"]
            assert client.session.connection.in_flight == (0, 0)

    in_time(main())


def test_an_acknowledgement_that_cannot_be_read_is_an_error() -> None:
    async def main() -> None:
        async with opened() as (client, peer):

            async def subscribe() -> None:
                async with client.subscribed(X):
                    raise AssertionError("what is told of is not known")

            task = asyncio.create_task(subscribe())
            request = await peer.asked("subscriptions/listen")
            line = b'{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":%b}\n'
            huge = b'{"notifications":{"resourceSubscriptions":["%b"],"x":%b},"_meta":{"%b":%d}}'
            peer.send(line % (huge % (X.encode(), b"1" * 5000, TAG.encode(), request["id"])))
            with pytest.raises(ValueError, match="digits"):
                await task

    in_time(main())


def legacy() -> tuple[Server, list[str]]:
    """A server that notes what is subscribed to."""
    server, asked = Server("s"), []
    server.resource(X)(lambda: "")

    @server.method("resources/subscribe")
    async def subscribe(params: Any, context: Any) -> Any:
        asked.append(params["uri"])
        await asyncio.sleep(0)
        if params["uri"] == "file:///refused":
            raise RequestError(-32602, "no such resource")
        return {}

    @server.method("resources/unsubscribe")
    async def unsubscribe(params: Any, context: Any) -> Any:
        asked.append("-" + params["uri"])
        await asyncio.sleep(0)
        return {}

    return server, asked


def test_an_inner_block_leaves_the_outer_one_subscribed() -> None:
    async def main() -> None:
        server, asked = legacy()
        async with connected(server, "2025-11-25") as client:
            async with client.subscribed(X):
                async with client.subscribed(X, Y, X):
                    pass
                assert asked == [X, Y, "-" + Y]
            assert asked == [X, Y, "-" + Y, "-" + X]
            with pytest.raises(RequestError, match="no such resource"):
                async with client.subscribed(X, "file:///refused"):
                    raise AssertionError("it was refused")
            assert asked[4:] == [X, "file:///refused", "-" + X, "-file:///refused"]
            assert client._watched == {}

    in_time(main())


def test_blocks_that_cross_leave_nothing_subscribed_and_nobody_without() -> None:
    async def main() -> None:
        server, asked = legacy()
        async with connected(server, "2025-11-25") as client:
            subscribed = 0

            async def use(at: int) -> None:
                for _ in range(20):
                    async with client.subscribed(X):
                        assert asked[-1] == X, asked
                        for _ in range(at):
                            await asyncio.sleep(0)
                        assert asked[-1] == X, asked

            tasks = [asyncio.create_task(use(at)) for at in range(6)]
            for _ in range(50):
                await asyncio.sleep(0)
            tasks[0].cancel()
            await asyncio.wait(tasks)
            assert all(it.cancelled() or it.exception() is None for it in tasks)
            assert asked[-1] == "-" + X and client._watched == {}
            for it in asked:
                subscribed += -1 if it.startswith("-") else 1
                assert subscribed in (0, 1)

    in_time(main())


def test_a_legacy_server_that_tells_of_no_list() -> None:
    async def main() -> None:
        server = Server("s", capabilities={"tools": {}})
        async with connected(server, "2025-11-25") as client:
            with pytest.raises(SubscriptionError, match="of its lists"):
                async with client.subscribed(lists=True):
                    raise AssertionError("nothing is ever told")

    in_time(main())


async def listen(peer: Peer, identity: int, *uris: str) -> None:
    params = {"notifications": {"resourceSubscriptions": list(uris)}, "_meta": META}
    peer.send(wireline.encode_request(identity, "subscriptions/listen", params))
    acknowledged = await peer.asked("notifications/subscriptions/acknowledged")
    assert acknowledged["params"]["_meta"][TAG] == identity


def test_a_server_tells_of_a_resource_only_who_asked_for_it() -> None:
    async def main() -> None:
        server = Server("s")
        server.resource(X)(lambda: "")
        async with served(server) as peer:
            await listen(peer, 1, X)
            await listen(peer, 2, Y)
            await listen(peer, 3, X, Y)
            await listen(peer, 4, X)
            peer.send(wireline.encode_notification("notifications/cancelled", {"requestId": 4}))
            # And beside them a session of the legacy era, on the same connection.
            hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}}
            peer.send(wireline.encode_request(10, "initialize", hello))
            await peer.until(10)
            peer.send(wireline.encode_notification("notifications/initialized"))
            peer.send(wireline.encode_request(11, "resources/subscribe", {"uri": Y}))
            await peer.until(11)
            for uri in (X, Y, "file:///z"):
                server.resource_updated(uri)
            peer.send(wireline.encode_request(12, "ping"))
            told = []
            while (message := await peer.next()).get("id") != 12:
                assert message["method"] == "notifications/resources/updated"
                meta = message["params"].get("_meta", {})
                told.append((message["params"]["uri"], meta.get(TAG)))
            assert told == [(X, 1), (X, 3), (Y, None), (Y, 2), (Y, 3)]

    in_time(main())


def test_a_server_keeps_nothing_of_subscriptions_that_have_ended() -> None:
    async def main() -> None:
        server = Server("s")
        server.resource(X)(lambda: "")
        async with served(server) as peer:
            for at in range(300):
                await listen(peer, at, X)
                peer.send(wireline.encode_notification("notifications/cancelled", {"requestId": at}))
            await listen(peer, 300, X)
            [wanted] = server._subscriptions._sessions.values()
            assert len(wanted.listens) == 1

    in_time(main())


def test_a_client_of_one_resource_hears_nothing_of_another() -> None:
    async def main() -> None:
        server = Server("s")
        server.resource(X)(lambda: "")
        server.resource(Y)(lambda: "")
        told: list[str] = []

        def note(method: str, params: Any) -> None:
            told.append(params["uri"])

        async def use(client: Client) -> None:
            async with client.subscribed(X):
                server.resource_updated(Y)
                server.resource_updated(X)
                await client.list_resources()

        for revision in ("2025-11-25", "2026-07-28"):
            async with connected(server, revision, on_notification=note) as client:
                await use(client)
        assert told == [X, X]

    in_time(main())
