"""Exceptions of the package.

Every error is an :class:`Error`; subclasses are the kinds of errors. ``str(error)`` is the line that ``et-inspect`` prints;
attributes hold its parts.
"""

from __future__ import annotations


class Error(Exception):
    """An error of et_inspect.

    Attributes:
        message: the message without file and location.
        file: the file, as given; None if the error is not about a file.
        field: the field in the file, such as ``run_data[3].events[7].name``; None if unknown.
        offset: offset in the file, in bytes; None if unknown.
    """

    def __init__(
        self,
        text: str = "",
        *,
        message: str | None = None,
        file: str | None = None,
        field: str | None = None,
        offset: int | None = None,
    ) -> None:
        super().__init__(text)
        self.message = text if message is None else message
        self.file = file
        self.field = field
        self.offset = offset

    def __reduce__(self) -> tuple:
        # The default loses keyword arguments when errors are pickled between processes.
        return (_rebuilt, (type(self), self.args, self.__dict__))


def _rebuilt(kind: type[Error], arguments: tuple, state: dict) -> Error:
    error = kind(*arguments)
    error.__dict__.update(state)
    return error


class FileError(Error, OSError):
    """A system error: no such file, no permission, no space."""


class FormatError(Error, ValueError):
    """The contents of a file violate its format."""


class UnsupportedError(Error, NotImplementedError):
    """Valid, but with a version or feature that this build does not support."""


class LimitError(Error, ValueError):
    """A count, size or depth exceeds the limit."""


class NotFoundError(Error, LookupError):
    """The files have no such name (method, module, column); the message lists the available names."""


class ArgumentError(Error, ValueError):
    """An argument is invalid."""


class MismatchError(Error, ValueError):
    """Two files contradict each other."""


class CancelledError(Error):
    """The operation was interrupted before completion.

    Attributes:
        partial: the partial result, a JSON document; None if there is none.
    """

    partial: str | None = None


class RunError(Error, RuntimeError):
    """A model could not be run in a separate process: an operator, a backend or data is missing, or it crashed."""
