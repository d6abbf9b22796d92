"""The native half of the package. Import the names from :mod:`wireline`."""

from typing import Any, Literal, final

from typing_extensions import Buffer, Self, disjoint_base

from ._types import Dumps, Kind, Loads, Profile

__all__ = [
    "Body",
    "Decoder",
    "Error",
    "Fault",
    "Head",
    "Message",
    "Meta",
    "Notification",
    "Request",
    "Result",
    "StreamDecoder",
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
    @property
    def method(self) -> str: ...

@final
class Notification(Message):
    """A notification: a method without an id."""

    __match_args__ = ("method", "params")
    @property
    def kind(self) -> Literal["notification"]: ...
    @property
    def method(self) -> str: ...

@final
class Result(Message):
    """An answer with a result."""

    __match_args__ = ("id", "result")
    @property
    def kind(self) -> Literal["result"]: ...

@final
class Error(Message):
    """An answer with an error."""

    __match_args__ = ("id", "code", "message", "data")
    @property
    def kind(self) -> Literal["error"]: ...
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
