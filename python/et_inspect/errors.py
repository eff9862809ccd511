"""What goes wrong, as exceptions.

Every error of the libraries is an :class:`Error`; what kind it is, its class says. ``str(error)`` is the one line that
``et-inspect`` prints; its parts are attributes.
"""

from __future__ import annotations


class Error(Exception):
    """An error of et_inspect.

    Attributes:
        message: what is wrong, without the place.
        file: the file that it is about, as it was given; None where there is none.
        field: the part of the file, as ``run_data[3].events[7].name``; None where unknown.
        offset: bytes from the start of the file; None where unknown.
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
        # Keywords are lost by the default, and an error crosses processes.
        return (_rebuilt, (type(self), self.args, self.__dict__))


def _rebuilt(kind: type[Error], arguments: tuple, state: dict) -> Error:
    error = kind(*arguments)
    error.__dict__.update(state)
    return error


class FileError(Error, OSError):
    """The system refused: no such file, no permission, no space."""


class FormatError(Error, ValueError):
    """The bytes of a file are not what its format allows."""


class UnsupportedError(Error, NotImplementedError):
    """Valid, but of a version or with a feature that this build does not have."""


class LimitError(Error, ValueError):
    """A count, size or depth above what is accepted from a file."""


class NotFoundError(Error, LookupError):
    """A name (method, module, column) that the files do not have; the message says what there is."""


class ArgumentError(Error, ValueError):
    """An argument of the caller is wrong."""


class MismatchError(Error, ValueError):
    """Two files contradict each other."""


class CancelledError(Error):
    """Work that was ended before it was done.

    Attributes:
        partial: what it printed until then, a JSON document; None: nothing.
    """

    partial: str | None = None


class RunError(Error, RuntimeError):
    """A model that could not be run in a process of its own: an operator, a backend or data is missing, or it crashed."""
