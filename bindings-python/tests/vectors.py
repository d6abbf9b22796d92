"""Reads the text vectors of the repository's `vectors/`; its README describes the format."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

DIRECTORY = Path(__file__).resolve().parents[2] / "vectors"

_LINE = re.compile(r"^(?P<key>[A-Za-z0-9.-]+)(?:\*(?P<count>\d+))?(?P<sign>[:=])(?P<text>.*)$")
_ITEM = re.compile(r"^(?:message (?P<kind>\w+)|fault (?P<fault>[\w-]+) at (?P<at>\d+) of (?P<of>\d+))$")
_ESCAPE = re.compile(rb"\\(?:([nrt\\])|x([0-9A-Fa-f]{2})|u\{([0-9A-Fa-f]+)\})")
_PLAIN = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\"}


@dataclass
class Item:
    """What must come out: a message of a kind, or a fault."""

    kind: str
    at: int | None
    of: int | None
    fields: dict[str, bytes] = field(default_factory=dict)


@dataclass
class Vector:
    """A stream and the items in it."""

    file: str
    name: str
    settings: dict[str, str] = field(default_factory=dict)
    data: bytes = b""
    items: list[Item] = field(default_factory=list)

    def __str__(self) -> str:
        return f"{self.file}:{self.name}"

    def arguments(self) -> dict[str, object]:
        """The keyword arguments of a `Decoder` for the settings."""
        given = self.settings
        discard = int(given.get("limit-discard", "0"))
        return {
            "max_message": int(given.get("limit-message", 16777216)),
            "max_depth": int(given.get("limit-depth", 127)),
            "max_id": int(given.get("limit-id", 128)),
            "max_method": int(given.get("limit-method", 128)),
            "max_discard": discard or None,
            "profile": given.get("profile", "mcp"),
            "batches": given.get("batches", "off") == "on",
            "eof_completes_line": given.get("eof", "truncates") == "completes-line",
        }


def _unescape(quoted: str) -> bytes:
    first, last = quoted.index("'"), quoted.rindex("'")

    def character(match: re.Match[bytes]) -> bytes:
        if match[1]:
            return _PLAIN[match[1]]
        if match[2]:
            return bytes.fromhex(match[2].decode())
        return chr(int(match[3], 16)).encode()

    return _ESCAPE.sub(character, quoted[first + 1 : last].encode())


def _text(match: re.Match[str]) -> bytes:
    if match["sign"] == "=":
        text = _unescape(match["text"])
    else:
        text = match["text"].removeprefix(" ").encode()
    if match["key"] == "line":
        text += b"\n"
    return text * int(match["count"] or 1)


def read(path: Path) -> list[Vector]:
    """The vectors of a file."""
    found: list[Vector] = []
    last: tuple[object, str] | None = None
    for number, line in enumerate(path.read_bytes().decode().split("\n"), 1):
        if not line or line.startswith("#"):
            last = None
            continue
        if line.startswith("== "):
            found.append(Vector(path.stem, line[3:]))
            last = None
            continue
        vector = found[-1]
        if item := _ITEM.match(line):
            at = int(item["at"]) if item["at"] else None
            of = int(item["of"]) if item["of"] else None
            vector.items.append(Item(item["kind"] or item["fault"], at, of))
            last = None
            continue
        match = _LINE.match(line.removeprefix("  "))
        assert match, f"{path}:{number}: {line!r}"
        key, text = match["key"], _text(match)
        if line.startswith("  "):
            fields = vector.items[-1].fields
            goes_on = last == (id(vector.items[-1]), key)
            fields[key] = (fields[key] if goes_on else b"") + text
            last = (id(vector.items[-1]), key)
        elif key in ("in", "line"):
            vector.data += text
            last = None
        else:
            vector.settings[key] = text.decode()
            last = None
    return found


def every() -> list[Vector]:
    """Every vector there is."""
    vectors = [vector for path in sorted(DIRECTORY.glob("*.txt")) for vector in read(path)]
    assert len(vectors) > 500, f"only {len(vectors)} vectors in {DIRECTORY}"
    return vectors
