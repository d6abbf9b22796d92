"""The native half of the package. Import the names from :mod:`wireline`."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal, final

from typing_extensions import Buffer, Self, disjoint_base

from ._types import (
    CacheScope,
    Dumps,
    Failure,
    IgnoredReason,
    Kind,
    Loads,
    LogLevel,
    Outcome,
    Profile,
    Role,
    State,
)

__all__ = [
    "Body",
    "Connection",
    "Decoder",
    "Error",
    "ErrorReceived",
    "Event",
    "Fault",
    "Handled",
    "Head",
    "Ignored",
    "Incoming",
    "InputRequired",
    "Message",
    "Meta",
    "Notification",
    "NotificationReceived",
    "ProgressReceived",
    "Request",
    "RequestCancelled",
    "RequestEnded",
    "RequestReceived",
    "Result",
    "StateChanged",
    "StreamDecoder",
    "Subscribed",
    "__version__",
    "encode_error",
    "encode_notification",
    "encode_request",
    "encode_result",
    "parse",
]

__version__: str

@disjoint_base
class Message:
    """A message, as a lazy view of the bytes that it came in."""

    @property
    def kind(self) -> Kind: ...
    @property
    def id(self) -> int | str | None: ...
    @property
    def raw_id(self) -> bytes | None: ...
    @property
    def method(self) -> str | None: ...
    @property
    def raw_method(self) -> bytes | None: ...
    @property
    def params(self) -> Any: ...
    @property
    def raw_params(self) -> bytes | None: ...
    @property
    def result(self) -> Any: ...
    @property
    def raw_result(self) -> bytes | None: ...
    @property
    def error(self) -> Any: ...
    @property
    def raw_error(self) -> bytes | None: ...
    @property
    def raw(self) -> bytes: ...
    @property
    def meta(self) -> Meta: ...
    @property
    def position(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def batch(self) -> tuple[int, bool] | None: ...
    @property
    def bom(self) -> bool: ...
    @property
    def null_params(self) -> bool: ...
    def detach(self) -> Self: ...
    def __bytes__(self) -> bytes: ...
    def __copy__(self) -> Self: ...
    def __deepcopy__(self, _memo: Any, /) -> Self: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Request(Message):
    """A request: a method and an id."""

    __match_args__ = ("method", "params", "id")
    @property
    def kind(self) -> Literal["request"]: ...
    # Under the profile "json-rpc" a number that is no integer, or None, as well.
    @property
    def id(self) -> int | str | Any: ...
    @property
    def raw_id(self) -> bytes: ...
    @property
    def method(self) -> str: ...
    @property
    def raw_method(self) -> bytes: ...

@final
class Notification(Message):
    """A notification: a method without an id."""

    __match_args__ = ("method", "params")
    @property
    def kind(self) -> Literal["notification"]: ...
    @property
    def id(self) -> None: ...
    @property
    def raw_id(self) -> None: ...
    @property
    def method(self) -> str: ...
    @property
    def raw_method(self) -> bytes: ...

@final
class Result(Message):
    """An answer with a result."""

    __match_args__ = ("id", "result")
    @property
    def kind(self) -> Literal["result"]: ...
    # Under the profile "json-rpc" a number that is no integer, or None, as well.
    @property
    def id(self) -> int | str | Any: ...
    @property
    def raw_id(self) -> bytes: ...
    @property
    def raw_result(self) -> bytes: ...

@final
class Error(Message):
    """An answer with an error."""

    __match_args__ = ("id", "code", "message", "data")
    @property
    def kind(self) -> Literal["error"]: ...
    @property
    def raw_error(self) -> bytes: ...
    @property
    def code(self) -> int: ...
    @property
    def message(self) -> str: ...
    @property
    def data(self) -> Any: ...
    @property
    def raw_data(self) -> bytes | None: ...

@final
class Meta:
    """The members inside a payload that a protocol's state depends on."""

    @property
    def progress_token(self) -> int | str | None: ...
    @property
    def request_id(self) -> int | str | None: ...
    @property
    def subscription_id(self) -> int | str | None: ...
    @property
    def progress(self) -> int | float | None: ...
    @property
    def protocol_version(self) -> str | None: ...
    @property
    def log_level(self) -> str | None: ...
    @property
    def result_type(self) -> str | None: ...
    @property
    def client_capabilities(self) -> Any: ...
    @property
    def supported(self) -> Any: ...

@final
class Fault:
    """A line that is no message: what is wrong, where, and what is still known of it."""

    __match_args__ = ("kind", "offset", "id")
    @property
    def kind(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def category(self) -> Literal["noise", "text", "limit", "envelope", "stream"]: ...
    @property
    def offset(self) -> int: ...
    @property
    def length(self) -> int: ...
    @property
    def limit(self) -> int | None: ...
    @property
    def id(self) -> int | str | None: ...
    @property
    def raw_id(self) -> bytes | None: ...
    @property
    def id_hint(self) -> int | str | None: ...
    @property
    def raw_id_hint(self) -> bytes | None: ...
    @property
    def method(self) -> str | None: ...
    @property
    def raw_method(self) -> bytes | None: ...
    @property
    def rules(self) -> tuple[str, ...]: ...
    @property
    def shape(self) -> tuple[str, ...]: ...
    @property
    def excerpt(self) -> bytes: ...
    @property
    def position(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def batch(self) -> tuple[int, bool] | None: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Decoder:
    """A decoder of newline-framed messages."""

    def __new__(
        cls,
        *,
        max_message: int = 16777216,
        max_depth: int = 127,
        max_id: int = 128,
        max_method: int = 128,
        max_discard: int | None = None,
        profile: Profile = "mcp",
        batches: bool = False,
        eof_completes_line: bool = False,
        loads: Loads | None = None,
    ) -> Self: ...
    def feed(self, data: Buffer) -> list[Message | Fault]: ...
    def finish(self) -> list[Message | Fault]: ...
    def reset(self) -> None: ...
    @property
    def pending(self) -> int: ...
    @property
    def closed(self) -> bool: ...

@final
class Head:
    """What is known of a message whose text is not kept."""

    __match_args__ = ("kind", "method", "id")
    @property
    def kind(self) -> Kind | None: ...
    @property
    def final(self) -> bool: ...
    @property
    def id(self) -> int | str | None: ...
    @property
    def raw_id(self) -> bytes | None: ...
    @property
    def method(self) -> str | None: ...
    @property
    def raw_method(self) -> bytes | None: ...
    @property
    def progress_token(self) -> int | str | None: ...
    @property
    def length(self) -> int: ...
    @property
    def bom(self) -> bool: ...
    @property
    def null_params(self) -> bool: ...

@final
class Body:
    """A piece of a body."""

    __match_args__ = ("part", "data")
    @property
    def part(self) -> Literal["params", "result", "error"]: ...
    @property
    def data(self) -> bytes: ...

@final
class StreamDecoder:
    """A decoder that hands bodies out in pieces, as they come."""

    def __new__(
        cls,
        *,
        max_message: int | None = None,
        max_depth: int = 127,
        max_id: int = 128,
        max_method: int = 128,
        max_discard: int | None = None,
        profile: Profile = "mcp",
        eof_completes_line: bool = False,
    ) -> Self: ...
    def feed(self, data: Buffer) -> list[Head | Body | Fault]: ...
    def finish(self) -> list[Head | Body | Fault]: ...
    def reset(self) -> None: ...
    @property
    def closed(self) -> bool: ...

def parse(
    data: Buffer,
    *,
    max_message: int = 16777216,
    max_depth: int = 127,
    max_id: int = 128,
    max_method: int = 128,
    profile: Profile = "mcp",
    loads: Loads | None = None,
) -> Message: ...
def encode_request(
    id: int | str | bytes,
    method: str,
    params: Any = None,
    *,
    profile: Profile = "mcp",
    dumps: Dumps | None = None,
) -> bytes: ...
def encode_notification(
    method: str,
    params: Any = None,
    *,
    profile: Profile = "mcp",
    dumps: Dumps | None = None,
) -> bytes: ...
def encode_result(
    id: int | str | bytes,
    result: Any,
    *,
    profile: Profile = "mcp",
    dumps: Dumps | None = None,
) -> bytes: ...
def encode_error(
    id: int | str | bytes | None,
    code: int,
    message: str,
    data: Any = None,
    *,
    null_id: bool = False,
    dumps: Dumps | None = None,
) -> bytes: ...

@disjoint_base
class Event:
    """What happened."""

    @property
    def broken(self) -> tuple[str, ...]: ...
    @property
    def message(self) -> Message | None: ...
    @property
    def fault(self) -> Fault | None: ...

@final
class RequestReceived(Event):
    """The peer asks for something. Answer it by its handle."""

    __match_args__ = ("method", "params", "handle")
    @property
    def handle(self) -> int: ...
    @property
    def method(self) -> str: ...
    @property
    def params(self) -> Any: ...
    @property
    def revision(self) -> str: ...

@final
class NotificationReceived(Event):
    """The peer tells something."""

    __match_args__ = ("method", "params")
    @property
    def method(self) -> str: ...
    @property
    def params(self) -> Any: ...

@final
class ProgressReceived(Event):
    """A request of ours is getting on."""

    __match_args__ = ("handle", "progress", "total", "text")
    @property
    def handle(self) -> int: ...
    @property
    def progress(self) -> int | float: ...
    @property
    def total(self) -> int | float | None: ...
    @property
    def text(self) -> str | None: ...

@final
class RequestEnded(Event):
    """A request of ours has ended."""

    __match_args__ = ("handle", "outcome", "result")
    @property
    def handle(self) -> int: ...
    @property
    def outcome(self) -> Outcome: ...
    @property
    def result(self) -> Any: ...
    @property
    def error(self) -> Any: ...

@final
class InputRequired(Event):
    """A request of ours needs input before it goes on."""

    __match_args__ = ("handle", "requests", "state", "round")
    @property
    def handle(self) -> int: ...
    @property
    def requests(self) -> Any: ...
    # A string, where the server keeps to the protocol.
    @property
    def state(self) -> Any: ...
    @property
    def round(self) -> int: ...

@final
class Subscribed(Event):
    """A subscription of ours is open."""

    __match_args__ = ("handle", "notifications")
    @property
    def handle(self) -> int: ...
    @property
    def notifications(self) -> Any: ...

@final
class RequestCancelled(Event):
    """The peer no longer wants a request. Its handle is stale."""

    __match_args__ = ("handle", "reason")
    @property
    def handle(self) -> int: ...
    @property
    def reason(self) -> str | None: ...

@final
class StateChanged(Event):
    """The session has come to another state."""

    __match_args__ = ("state", "revision", "failure")
    @property
    def state(self) -> State: ...
    @property
    def revision(self) -> str | None: ...
    @property
    def failure(self) -> Failure | None: ...

@final
class ErrorReceived(Event):
    """An error that answers nothing in particular."""

    __match_args__ = ("error",)
    @property
    def error(self) -> Any: ...

@final
class Ignored(Event):
    """What came changes nothing."""

    __match_args__ = ("reason", "message", "fault")
    @property
    def reason(self) -> IgnoredReason: ...

@final
class Handled(Event):
    """The session has taken care of it, and a rule was broken."""

    __match_args__ = ("message", "fault")

@final
class Incoming:
    """What is known of a request that is being worked on."""

    @property
    def method(self) -> str | None: ...
    @property
    def revision(self) -> str: ...
    @property
    def capabilities(self) -> Any: ...
    @property
    def wants_progress(self) -> bool: ...
    @property
    def log_level(self) -> LogLevel | None: ...

@final
class Connection:
    """One side of a session, without I/O and without a clock."""

    def __new__(
        cls,
        role: Role,
        *,
        name: str = "wireline-python",
        version: str = ...,
        title: str | None = None,
        revisions: Iterable[str] | None = None,
        capabilities: Mapping[str, Any] | None = None,
        instructions: str | None = None,
        request_timeout: float | None = 60.0,
        hard_timeout: float | None = 600.0,
        probe_timeout: float = 10.0,
        max_rounds: int = 10,
        max_incoming: int = 256,
        max_outgoing: int = 256,
        max_held_back: int = 0,
        max_batch_answer: int = 1048576,
        one_era: bool = False,
        answer_unparsable: bool = False,
        cache_ttl: float = 0.0,
        cache_scope: CacheScope = "private",
        max_message: int = 16777216,
        max_depth: int = 127,
        max_id: int = 128,
        max_method: int = 128,
        max_discard: int | None = None,
        loads: Loads | None = None,
        dumps: Dumps | None = None,
    ) -> Self: ...
    def receive_data(self, data: Buffer, now: float) -> list[Event]: ...
    def data_to_send(self) -> bytes: ...
    @property
    def bytes_to_send(self) -> int: ...
    def send_request(
        self,
        method: str,
        params: Any = None,
        *,
        now: float,
        progress: bool = False,
        timeout: float | None = None,
        hard_timeout: float | None = None,
        log_level: LogLevel | None = None,
        meta: Any = None,
    ) -> int: ...
    def send_notification(self, method: str, params: Any = None) -> None: ...
    def send_result(
        self,
        handle: int,
        result: Any,
        *,
        meta: Any = None,
        cache_ttl: float | None = None,
        cache_scope: CacheScope = "private",
        task: bool = False,
    ) -> None: ...
    def send_error(self, handle: int, code: int, message: str, data: Any = None) -> None: ...
    def send_progress(
        self,
        handle: int,
        progress: float,
        total: float | None = None,
        message: str | None = None,
    ) -> None: ...
    def cancel(self, handle: int, reason: str | None = None) -> list[Event]: ...
    def ping(self, *, now: float) -> int: ...
    def next_timeout(self) -> float | None: ...
    def expire(self, now: float) -> list[Event]: ...
    def close(self) -> list[Event]: ...
    @property
    def role(self) -> Role: ...
    @property
    def state(self) -> State: ...
    @property
    def revision(self) -> str | None: ...
    @property
    def peer_capabilities(self) -> Any: ...
    @property
    def in_flight(self) -> tuple[int, int]: ...
    @property
    def held_back(self) -> int: ...
    def incoming(self, handle: int) -> Incoming | None: ...
    def connect(self, *, now: float, legacy: bool = False) -> None: ...
    def assume(self, revision: str, capabilities: Mapping[str, Any] | None = None) -> None: ...
    def retry(
        self,
        handle: int,
        params: Any,
        answers: Any,
        state: str | None = None,
        *,
        now: float,
        progress: bool = False,
        timeout: float | None = None,
        hard_timeout: float | None = None,
        log_level: LogLevel | None = None,
        meta: Any = None,
    ) -> None: ...
    def listen(
        self,
        *,
        now: float,
        tools: bool = False,
        prompts: bool = False,
        resources: bool = False,
        uris: Iterable[str] | None = None,
    ) -> int: ...
    def accept(
        self,
        handle: int,
        *,
        tools: bool = False,
        prompts: bool = False,
        resources: bool = False,
        uris: Iterable[str] | None = None,
    ) -> None: ...
    def changed(
        self,
        what: Literal["tools", "prompts", "resources", "resource"],
        uri: str | None = None,
    ) -> None: ...
    def changed_for(
        self,
        handle: int,
        what: Literal["tools", "prompts", "resources", "resource"],
        uri: str | None = None,
    ) -> None: ...
    def end_subscription(self, handle: int) -> None: ...
    def end_task(self, handle: int) -> None: ...
    def log(
        self,
        level: LogLevel,
        data: Any,
        *,
        handle: int | None = None,
        logger: str | None = None,
    ) -> None: ...
    def ask(
        self,
        handle: int,
        requests: dict[str, tuple[str, Any]],
        state: str | None = None,
    ) -> None: ...
    def fail_for_capability(self, handle: int, required: Mapping[str, Any]) -> None: ...
