"""The Python programs in the documents. As a program it writes them into a folder, for type checkers."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def programs() -> list[tuple[str, str]]:
    """Each with where it stands."""
    found = []
    for name in ("README.md", "docs/python.md", "bindings-python/README.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for match in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, match.start()) + 1
            found.append((f"{name}:{line}", match[1]))
    return found


if __name__ == "__main__":
    for name, program in programs():
        # A line that an error names is the document's.
        document, line = name.split(":")
        file = re.sub(r"\W", "_", document) + f"_{line}.py"
        Path(sys.argv[1], file).write_text("\n" * int(line) + program, encoding="utf-8")
