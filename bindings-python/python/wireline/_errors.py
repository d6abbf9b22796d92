"""The exceptions of the package."""

from __future__ import annotations

# As `typing` has it, whose import would take ten times as long as all the rest.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ._wireline import Fault

__all__ = ["LocalProtocolError", "ProtocolError", "RemoteProtocolError"]


class ProtocolError(Exception):
    """What is common to both: something is against the protocol."""


class LocalProtocolError(ProtocolError):
    """This side did, or tried to do, what the protocol does not allow. Nothing was sent, and
    nothing has changed: the call can be made again, done right.

    ``kind`` is a short stable name: ``bad-id``, ``bad-value``, ``closed``, ``not-ready``,
    ``stale-handle``, ``gate``, ``table-full``, ``bad-progress``. ``rule`` is the number of the
    rule that forbids it, such as ``"R58"``, where one does.

    >>> import wireline
    >>> try:
    ...     wireline.encode_request(1, "tools/call", {"x": float("nan")})
    ... except wireline.LocalProtocolError as error:
    ...     print(error.kind, "-", str(error).partition(":")[0])
    bad-value - params cannot be written as JSON
    """

    kind: str
    rule: str | None

    def __init__(self, message: str, *, kind: str = "misuse", rule: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.rule = rule

    def __reduce__(self) -> tuple[object, ...]:
        return _local, (str(self), self.kind, self.rule)


class RemoteProtocolError(ProtocolError):
    """The peer broke the protocol.

    ``kind`` is the name of a fault (``syntax``, ``too-long``, …, see :class:`wireline.Fault`) or
    of how a request ended (``bad-response``, ``timed-out``, …). ``offset`` is where in its line the
    fault is, in bytes; ``id`` is the id that an answer may carry; ``rules`` are the numbers of
    the rules that were broken, as of :attr:`wireline.Fault.rules`. What is not known is ``None`` or empty. ``fault`` is the fault itself.

    >>> import wireline
    >>> try:
    ...     wireline.parse(b'{"jsonrpc":"2.0","id":7,"method":123}')
    ... except wireline.RemoteProtocolError as error:
    ...     print(error.kind, error.offset, error.id, error.rules)
    bad-method 33 7 ('R3', 'R4')
    """

    kind: str
    offset: int | None
    id: int | str | None
    rules: tuple[str, ...]
    fault: Fault | None

    def __init__(
        self,
        message: str,
        *,
        kind: str,
        offset: int | None = None,
        id: int | str | None = None,
        rules: tuple[str, ...] = (),
        fault: Fault | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.offset = offset
        self.id = id
        self.rules = rules
        self.fault = fault

    @classmethod
    def from_fault(cls, fault: Fault, rules: tuple[str, ...] | None = None) -> RemoteProtocolError:
        """The exception for a fault, with its rules unless others are given. An integer of more digits than Python takes is no id of it:
        ``fault.raw_id`` has it."""
        try:
            id = fault.id
        except ValueError:
            id = None
        return cls(
            str(fault),
            kind=fault.kind,
            offset=fault.offset,
            id=id,
            rules=fault.rules if rules is None else rules,
            fault=fault,
        )

    def __reduce__(self) -> tuple[object, ...]:
        return _remote, (str(self), self.kind, self.offset, self.id, self.rules)


def _local(message: str, kind: str, rule: str | None) -> LocalProtocolError:
    return LocalProtocolError(message, kind=kind, rule=rule)


def _remote(
    message: str,
    kind: str,
    offset: int | None,
    id: int | str | None,
    rules: tuple[str, ...],
) -> RemoteProtocolError:
    return RemoteProtocolError(message, kind=kind, offset=offset, id=id, rules=rules)
