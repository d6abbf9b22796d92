"""One request that goes wrong ends no other, and leaves no peer without an answer."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
import wireline
from sessions import META, Peer, call, connected, in_time, opened, pair, said, served
from wireline.aio import Client, ConnectionClosed, RequestContext, RequestError, connect_streams
from wireline.server import Context, Server

HUGE = b"1" * 5000
"""A number of more digits than Python takes."""

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.CRITICAL, "wireline")


async def still_works(client: Client, peer: Peer) -> None:
    asking = asyncio.create_task(client.request("tools/list"))
    request = await peer.asked("tools/list")
    peer.send(wireline.encode_result(request["id"], {"tools": [], "resultType": "complete"}))
    assert (await asking)["tools"] == []


def progress(peer: Peer, request: Any) -> None:
    token = json.dumps(request["params"]["_meta"]["progressToken"]).encode()
    peer.send(
        b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%b,"progress":%b}}\n'
        % (token, HUGE)
    )


def result(peer: Peer, request: Any) -> None:
    peer.send(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"x":%b,"resultType":"complete"}}\n' % (request["id"], HUGE))


def notification(peer: Peer, request: Any) -> None:
    peer.send(b'{"jsonrpc":"2.0","method":"x/told","params":{"x":%b}}\n' % HUGE)


def input_required(peer: Peer, request: Any) -> None:
    peer.send(
        b'{"jsonrpc":"2.0","id":%d,"result":{"inputRequests":{"0":{"method":"elicitation/create","params":'
        b'{"message":"m","requestedSchema":{},"mode":"form","x":%b}}},"resultType":"input_required"}}\n'
        % (request["id"], HUGE)
    )


@pytest.mark.parametrize(
    ("what", "fails"),
    [(progress, False), (notification, False), (result, True), (input_required, True)],
    ids=["progress", "notification", "result", "input"],
)
def test_what_cannot_be_read_ends_its_request_alone(what: Callable[[Peer, Any], None], fails: bool) -> None:
    async def main() -> None:
        handlers = {"elicitation/create": lambda params, context: {"action": "decline"}}
        seen: list[Any] = []
        async with opened(on_notification=lambda *told: seen.append(told), handlers=handlers) as (client, peer):
            other = asyncio.create_task(client.call_tool("other"))
            first = await peer.asked("tools/call")
            asking = asyncio.create_task(client.call_tool("t", progress=lambda *told: seen.append(told)))
            request = await peer.asked("tools/call")
            what(peer, request)
            if fails:
                with pytest.raises(ValueError):
                    await asking
            else:
                peer.send(wireline.encode_result(request["id"], {"content": [], "resultType": "complete"}))
                assert (await asking)["content"] == []
            await still_works(client, peer)
            peer.send(wireline.encode_result(first["id"], {"content": [], "resultType": "complete"}))
            assert (await other)["content"] == []

    in_time(main())


def test_a_hook_that_raises_ends_nothing() -> None:
    def raises(event: wireline.Event) -> None:
        raise RuntimeError("a broken hook")

    async def main() -> None:
        async with opened(on_event=raises) as (client, peer):
            waiting = asyncio.create_task(client.call_tool("t"))
            await peer.asked("tools/call")
            await still_works(client, peer)
            peer.writer.close()
            with pytest.raises(ConnectionClosed):
                await waiting

    in_time(main())


def test_what_a_server_says_of_itself_may_be_of_any_type() -> None:
    from sessions import DISCOVERED

    async def main() -> None:
        DISCOVERED["_meta"] = ["no object"]
        try:
            async with opened() as (client, peer):
                assert client.server_info is None
                await still_works(client, peer)
        finally:
            del DISCOVERED["_meta"]

    in_time(main())


class Odd(BaseException):
    """Is no `Exception`."""


def odd_server(**options: Any) -> Server:
    server = Server("odd", **options)

    @server.tool
    async def cancels() -> None:
        inner = asyncio.get_running_loop().create_future()
        inner.cancel()
        await inner

    @server.tool
    async def cancels_itself() -> None:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.sleep(0)

    @server.tool
    def cancels_in_a_thread() -> None:
        raise asyncio.CancelledError

    @server.tool
    async def odd() -> None:
        raise Odd

    @server.tool
    async def in_a_group(context: Context) -> str:
        async with asyncio.TaskGroup() as group:
            asking = group.create_task(context.elicit("name?", {"type": "object", "properties": {}}))
        return str(asking.result())

    @server.tool
    async def in_an_odd_group() -> None:
        async def fail() -> None:
            raise Odd

        async with asyncio.TaskGroup() as group:
            group.create_task(fail())

    @server.tool
    async def fine() -> str:
        return "fine"

    @server.method("x/cancels")
    async def method(params: Any, context: RequestContext) -> None:
        raise asyncio.CancelledError

    @server.method("x/params")
    def echo(params: Any, context: RequestContext) -> Any:
        return {}

    return server


def answers(server: Server, *lines: bytes) -> list[Any]:
    """The answers to requests with the ids 1, 2, ….: each of them gets one."""

    async def main() -> list[Any]:
        async with served(server) as peer:
            peer.send(*lines)
            found: dict[Any, Any] = {}
            while len(found) < len(lines):
                message = await peer.next()
                found[message.get("id")] = message
            return [found[at] for at in sorted(found)]

    answers: list[Any] = in_time(main())
    return answers


def test_whatever_ends_a_handler_there_is_an_answer() -> None:
    names = ["cancels", "cancels_in_a_thread", "odd", "in_an_odd_group", "fine"]
    elicits = call(6, "in_a_group", {"elicitation": {"form": {}}})
    raised = wireline.encode_request(7, "x/cancels", {"_meta": META})
    itself = call(8, "cancels_itself")
    told = answers(odd_server(), *(call(at + 1, name) for at, name in enumerate(names)), elicits, raised, itself)
    assert told[0]["result"]["isError"] and "cancelled" in said(told[0]["result"])
    assert told[1]["result"]["isError"]
    assert told[2]["error"]["data"] == {"exception": "Odd"}
    assert told[3]["error"]["data"] == {"exception": "BaseExceptionGroup"}
    assert said(told[4]["result"]) == "fine"
    assert told[5]["result"]["inputRequests"]["0"]["method"] == "elicitation/create"
    assert told[6]["error"]["data"] == {"exception": "CancelledError"}
    assert told[7]["error"]["data"] == {"exception": "CancelledError"}


def test_questions_in_a_group_are_asked_and_answered() -> None:
    async def main() -> None:
        handlers = {"elicitation/create": lambda params, context: {"action": "accept", "content": {"x": 1}}}
        async with connected(odd_server(), handlers=handlers) as client:
            assert said(await client.call_tool("in_a_group")) == "{'x': 1}"

    in_time(main())


def test_params_that_cannot_be_read_are_invalid() -> None:
    bad = wireline.encode_request(1, "x/params", {"_meta": META}).replace(b'"params":{', b'"params":{"x":%b,' % HUGE)
    first, second = answers(odd_server(), bad, call(2, "fine"))
    assert first["error"]["code"] == -32602 and "digits" in first["error"]["message"]
    assert said(second["result"]) == "fine"


def test_a_result_that_the_hook_cannot_write_is_an_error() -> None:
    def dumps(value: Any) -> str:
        if "content" in value:
            raise Odd if value["content"] == [] else KeyError("no such thing")
        return json.dumps(value)

    server = odd_server(dumps=dumps)

    @server.tool
    async def nothing() -> None:
        pass

    first, second, third = answers(server, call(1, "fine"), call(2, "nothing"), call(3, "none"))
    assert first["error"]["code"] == -32603
    assert second["error"]["code"] == -32603
    assert third["error"]["code"] == -32602


def test_an_error_that_the_hook_cannot_write_is_still_an_error() -> None:
    def dumps(value: Any) -> Any:
        return 5 if "exception" in value else json.dumps(value)

    [told] = answers(odd_server(dumps=dumps), call(1, "odd"))
    assert told["error"] == {"code": -32603, "message": "Internal error"}


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_more_calls_than_slots_take_their_turns(revision: str) -> None:
    async def main() -> None:
        server = Server("s", max_incoming=4)
        at_once = most = 0

        @server.tool
        async def double(number: int) -> int:
            nonlocal at_once, most
            at_once += 1
            most = max(most, at_once)
            await asyncio.sleep(0)
            at_once -= 1
            return 2 * number

        async with connected(server, revision, max_outgoing=8) as client:
            calls = (client.call_tool("double", {"number": at}) for at in range(200))
            told = await asyncio.gather(*calls)
            assert [it["content"][0]["text"] for it in told] == [str(2 * at) for at in range(200)]
            assert client.session.connection.in_flight == (0, 0)
        assert most == 4

    in_time(main())


def test_a_thousand_requests_at_once_are_all_answered() -> None:
    told = answers(odd_server(), *(call(at, "fine") for at in range(1000)))
    assert [said(it["result"]) for it in told] == ["fine"] * 1000


def test_pings_and_cancellations_pass_what_waits() -> None:
    async def main() -> None:
        server = Server("s", max_incoming=2)

        @server.tool
        async def hang() -> None:
            await asyncio.Event().wait()

        @server.tool
        async def fine() -> str:
            return "fine"

        async with served(server) as peer:
            peer.send(*(call(at, "hang") for at in range(3)), call(3, "fine"))
            peer.send(wireline.encode_request("d", "server/discover", {"_meta": META}))
            assert (await peer.next())["id"] == "d"
            # One that waits, and one that is worked on.
            for at in (2, 0):
                peer.send(wireline.encode_notification("notifications/cancelled", {"requestId": at}))
            assert (await peer.next())["id"] == 3
            peer.send(wireline.encode_notification("notifications/cancelled", {"requestId": 1}))

    in_time(main())


def test_what_waits_is_answered_when_the_input_has_ended() -> None:
    async def main() -> None:
        async with served(odd_server(max_incoming=1)) as peer:
            peer.send(*(call(at, "fine") for at in range(20)))
            peer.writer.write_eof()
            assert [(await peer.next())["id"] for _ in range(20)] == list(range(20))

    in_time(main())


def test_a_turn_that_is_given_up_is_passed_on() -> None:
    async def main() -> None:
        async with opened(max_outgoing=1) as (client, peer):
            calls = [asyncio.create_task(client.call_tool("t", {"at": at})) for at in range(4)]
            first = await peer.asked("tools/call")
            calls[1].cancel()
            # Its turn comes in the very moment in which it is cancelled.
            peer.send(wireline.encode_result(first["id"], {"content": [], "resultType": "complete"}))
            await calls[0]
            calls[2].cancel()
            last = await peer.asked("tools/call")
            while last["params"]["arguments"]["at"] != 3:
                last = await peer.asked("tools/call")
            waiting = asyncio.create_task(client.call_tool("t", {"at": 4}))
            peer.send(wireline.encode_result(last["id"], {"content": [], "resultType": "complete"}))
            await calls[3]
            assert (await peer.asked("tools/call"))["params"]["arguments"]["at"] == 4
            last_one = asyncio.create_task(client.call_tool("t", {"at": 5}))
            await asyncio.sleep(0)
            peer.writer.close()
            for it in (waiting, last_one):
                with pytest.raises(ConnectionClosed):
                    await it
            for closed in (client.list_tools(), client.notify("x/y"), client.call_tool("t")):
                with pytest.raises(ConnectionClosed):
                    await closed

    in_time(main())


def test_a_side_without_slots_says_so() -> None:
    async def main() -> None:
        server = Server("s", max_outgoing=0)

        @server.tool
        async def ask(context: Context) -> str:
            try:
                await context.roots()
            except wireline.LocalProtocolError as error:
                return error.kind
            return "asked"

        handlers: dict[str, Any] = {"roots/list": lambda params, context: {"roots": []}}
        async with connected(server, "2025-11-25", handlers=handlers) as client:
            assert said(await client.call_tool("ask")) == "table-full"

    in_time(main())


def test_a_capability_that_was_not_declared_is_asked_for() -> None:
    server = Server("s")

    @server.tool
    async def form(context: Context) -> None:
        await context.elicit("name?", {"type": "object", "properties": {}})

    @server.tool
    async def sample(context: Context) -> None:
        await context.sample([], 5, tools=[])

    @server.tool
    async def roots(context: Context) -> None:
        await context.roots()

    told = answers(server, call(1, "form"), call(2, "sample", {"sampling": {}}), call(3, "roots", {"elicitation": {}}))
    assert [it["error"]["code"] for it in told] == [-32021] * 3
    needed = [it["error"]["data"]["requiredCapabilities"] for it in told]
    assert [set(it) for it in needed] == [{"elicitation"}, {"sampling"}, {"roots"}]
    assert "tools" in needed[1]["sampling"]


@pytest.mark.parametrize("error", [RequestError(-32000, "no"), ConnectionClosed("no")])
def test_what_a_handler_of_input_raises_is_the_request_s(error: Exception) -> None:
    def refuse(params: Any, context: RequestContext) -> None:
        raise error

    async def main() -> None:
        async with connected(odd_server(), handlers={"elicitation/create": refuse}) as client:
            with pytest.raises(type(error)):
                await client.call_tool("in_a_group")
            assert said(await client.call_tool("fine")) == "fine"

    in_time(main())


def test_input_that_is_being_gathered_ends_with_the_session() -> None:
    async def main() -> None:
        begun, ended = asyncio.Event(), asyncio.Event()

        async def ask(params: Any, context: RequestContext) -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                ended.set()

        async with connected(odd_server(), handlers={"elicitation/create": ask}) as client:
            calling = asyncio.create_task(client.call_tool("in_a_group"))
            await begun.wait()
        await ended.wait()
        with pytest.raises(ConnectionClosed):
            await calling
        # And with the call.
        begun.clear()
        ended.clear()
        async with connected(odd_server(), handlers={"elicitation/create": ask}) as client:
            calling = asyncio.create_task(client.call_tool("in_a_group"))
            await begun.wait()
            calling.cancel()
            await ended.wait()

    in_time(main())


def test_a_server_that_refuses_a_session_is_quoted() -> None:
    async def scenario() -> None:
        peer, streams = await pair()

        async def refuse() -> None:
            while True:
                request = await peer.next()
                peer.send(wireline.encode_error(request["id"], -32602, "Licence expired", {"until": 2025}))

        refusing = asyncio.create_task(refuse())
        with pytest.raises(wireline.RemoteProtocolError, match="refused: Licence expired") as failure:
            async with connect_streams(*streams):
                pass
        refusing.cancel()
        peer.writer.close()
        assert failure.value.kind == "refused"
        assert isinstance(failure.value.__cause__, RequestError)
        assert (failure.value.__cause__.code, failure.value.__cause__.data) == (-32602, {"until": 2025})

    in_time(scenario())


@pytest.mark.parametrize("state", [5, {}, True])
def test_a_state_that_is_no_string_is_the_server_s_fault(state: Any) -> None:
    async def main() -> None:
        asked: list[Any] = []

        def answer(params: Any, context: RequestContext) -> Any:
            asked.append(params)
            return {"action": "decline"}

        async with opened(handlers={"elicitation/create": answer}) as (client, peer):
            calling = asyncio.create_task(client.call_tool("t"))
            request = await peer.asked("tools/call")
            form = {"mode": "form", "message": "m", "requestedSchema": {"type": "object", "properties": {}}}
            question = {"method": "elicitation/create", "params": form}
            result = {"inputRequests": {"0": question}, "requestState": state, "resultType": "input_required"}
            peer.send(wireline.encode_result(request["id"], result))
            with pytest.raises(wireline.RemoteProtocolError) as caught:
                await calling
            assert caught.value.kind == "bad-response" and asked == []
            await still_works(client, peer)

    in_time(main())
