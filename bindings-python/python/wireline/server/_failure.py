"""What exceptions say."""

from __future__ import annotations

__all__ = ["failure_text"]


def failure_text(error: BaseException) -> str:
    """What an exception says, whatever its `str` does.

    >>> failure_text(ValueError("too warm")), failure_text(ValueError())
    ('too warm', 'ValueError')
    """
    try:
        said = str(error)
    except (Exception, SystemExit):
        said = ""
    said = said or type(error).__name__
    return said.encode("utf-8", "replace").decode("utf-8")
