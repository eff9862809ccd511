"""Encodes values for ``et-inspect serve`` (app/serve/value_codec.h): a tag in one byte and the content.

Bytes of arrays are in the message, aligned to 16 bytes, or in shared memory.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Callable, Sequence
from typing import Any

_NONE, _FALSE, _TRUE, _INT, _UNSIGNED, _DOUBLE, _TEXT, _ESCAPED, _BLOB, _ARRAY, _OBJECT, _UNKNOWN, _LIST, _TUPLE, _DICT = range(15)

# Longer bytes are passed in shared memory.
INLINE_BYTES = 64 << 10
_ALIGNMENT = 16
_CPU = 1  # DLPack's number

_int = struct.Struct("<Bq")
_unsigned = struct.Struct("<BQ")
_double = struct.Struct("<Bd")
_count = struct.Struct("<BI")
_read_int = struct.Struct("<q").unpack_from
_read_long = struct.Struct("<Q").unpack_from
_read_double = struct.Struct("<d").unpack_from
_read_count = struct.Struct("<I").unpack_from
_read_place = struct.Struct("<BQQ").unpack_from


class Reference(int):
    """The number of an object in the other process."""


class Inputs(list):
    """Values for a method: arrays and tensors are encoded as such."""


class Writer:
    """Encodes values into ``out``.

    ``reference`` returns the number of a served object, or None for other objects; ``store`` copies a buffer to shared memory
    and returns its offset, or None if there is no shared memory.
    """

    def __init__(self, reference: Callable[[Any], int | None], store: Callable[[Any, int], int | None]) -> None:
        self.out = bytearray()
        self._reference = reference
        self._store = store

    def add(self, value: Any) -> None:
        """Encodes a value; raises UnicodeEncodeError for surrogates that do not represent a byte."""
        kind = type(value)
        if kind is str:
            self._text(_TEXT, value)
        elif value is None:
            self.out.append(_NONE)
        elif kind is bool:
            self.out.append(_TRUE if value else _FALSE)
        elif kind is int:
            self._integer(value)
        elif kind is float:
            self.out += _double.pack(_DOUBLE, value)
        elif kind is list or kind is tuple:
            self.out += _count.pack(_LIST if kind is list else _TUPLE, len(value))
            for each in value:
                self.add(each)
        else:
            self._add_other(value)

    def _add_other(self, value: Any) -> None:
        if isinstance(value, Reference):
            self.out += _unsigned.pack(_OBJECT, value)
        elif isinstance(value, dict):
            self.out += _count.pack(_DICT, len(value))
            for key, each in value.items():
                self.add(key)
                self.add(each)
        elif isinstance(value, Inputs):
            self.start_list(len(value))
            for each in value:
                self.add_input(each)
        elif isinstance(value, (bytes, bytearray, memoryview)):
            self.out.append(_BLOB)
            self._bytes(value)
        elif isinstance(value, os.PathLike):
            self.add(os.fspath(value))
        elif isinstance(value, (list, tuple, str, float, int)):  # subclasses
            base = next(base for base in (bool, list, tuple, str, float, int) if isinstance(value, base))
            self.add(base(value))
        elif (number := self._reference(value)) is not None:
            self.out += _unsigned.pack(_OBJECT, number)
        elif hasattr(value, "__index__"):
            self._integer(value.__index__())
        else:
            self._text(_UNKNOWN, type(value).__name__)

    def add_text(self, text: str) -> None:
        """Encodes a text without a tag, such as the name of a function."""
        data = text.encode("utf-8", "surrogateescape")
        self.out += len(data).to_bytes(8, "little")
        self.out += data

    def start_list(self, count: int) -> None:
        """Starts a list, whose items are added next."""
        self.out += _count.pack(_LIST, count)

    def add_input(self, value: Any) -> None:
        """Encodes an input of a method: a number, None, or anything with DLPack or the buffer protocol."""
        if value is None or isinstance(value, (bool, int, float)):
            self.add(value)
            return
        if type(value).__module__ == "numpy":
            found = (value, None)
        else:
            found = _array_of(value)
        if found is None:
            self._text(_UNKNOWN, type(value).__name__)
        else:
            self.add_array(*found, name=type(value).__name__)

    def add_array(self, value: Any, kind: str | None = None, device: int = _CPU, name: str = "ndarray") -> None:
        """Encodes a numpy array or scalar. ``kind``: of its elements, instead of numpy's; ``device``: DLPack's number."""
        import numpy as np

        array = value if isinstance(value, np.ndarray) else np.asarray(value)
        dtype = array.dtype
        if dtype.kind not in "biufc" or not dtype.isnative:
            self._text(_UNKNOWN, name)
            return
        width = dtype.itemsize
        self.out += bytes((_ARRAY, ord(kind or dtype.kind), width, device))
        count = array.ndim
        self.out += struct.pack(f"<I{count}qI{count}q", count, *array.shape, count, *(each // width for each in array.strides))
        self._bytes(_elements(array) if device == _CPU else b"")

    def _integer(self, value: int) -> None:
        if -(1 << 63) <= value < 1 << 63:
            self.out += _int.pack(_INT, value)
        elif 0 < value < 1 << 64:
            self.out += _unsigned.pack(_UNSIGNED, value)
        else:
            self._text(_UNKNOWN, "int")

    def _text(self, tag: int, text: str) -> None:
        self.out.append(tag)
        self.add_text(text)

    def _bytes(self, data: Any) -> None:
        data = memoryview(data).cast("B")
        size = data.nbytes
        if size > INLINE_BYTES:
            offset = self._store(data, size)
            if offset is not None:
                self.out += struct.pack("<BBQQ", 1, 0, offset, size)
                return
        padding = -(len(self.out) + 10) % _ALIGNMENT
        self.out += b"\0" + bytes((padding,)) + bytes(padding) + size.to_bytes(8, "little")
        self.out += data


def _array_of(value: Any) -> tuple[Any, str | None] | tuple[Any, str | None, int] | None:
    """Returns a numpy array that shares the memory of a tensor or buffer, the kind of its elements if numpy lacks it, and its
    device if it is not the CPU; None for other objects."""
    import numpy as np

    if hasattr(value, "__dlpack__"):
        if hasattr(value, "__dlpack_device__"):
            device = int(value.__dlpack_device__()[0])
            if device != _CPU:
                return np.empty(tuple(value.shape), np.float32), None, min(device, 255)
        if str(getattr(value, "dtype", "")) == "torch.bfloat16":
            import torch

            return value.view(torch.int16).numpy(), "B"
        try:
            return np.from_dlpack(value), None
        except (BufferError, RuntimeError, TypeError):
            return (value.numpy(), None) if hasattr(value, "numpy") else None
    if isinstance(value, (str, list, tuple, dict)):
        return None
    try:
        return np.asarray(memoryview(value)), None
    except (TypeError, ValueError):
        return None


def _elements(array: Any) -> Any:
    """Returns the elements in memory order; empty if they have gaps, which the other process reports."""
    if array.size == 0:
        return b""
    order = sorted(range(array.ndim), key=lambda axis: -array.strides[axis] if array.shape[axis] > 1 else 0)
    for dense in (array, array.transpose(), array.transpose(order)):
        if dense.flags.c_contiguous:
            return dense.reshape(-1).view("u1")
    return b""


class Reader:
    """Decodes a message. ``maps``: the shared memory that it refers to."""

    def __init__(self, data: bytearray, maps: Sequence[Any] = ()) -> None:
        self._data = data
        self._maps = maps
        self._at = 0

    def number(self) -> int:
        """Reads an unsigned number of 8 bytes."""
        (value,) = _read_long(self._data, self._at)
        self._at += 8
        return value

    def read(self) -> Any:
        """Reads a value."""
        data, at = self._data, self._at
        tag = data[at]
        if tag == _TEXT:
            (size,) = _read_long(data, at + 1)
            self._at = at + 9 + size
            return data[at + 9 : at + 9 + size].decode("utf-8", "surrogateescape")
        if tag == _NONE:
            self._at = at + 1
            return None
        if tag == _INT:
            self._at = at + 9
            return _read_int(data, at + 1)[0]
        if tag == _DOUBLE:
            self._at = at + 9
            return _read_double(data, at + 1)[0]
        if tag == _FALSE or tag == _TRUE:
            self._at = at + 1
            return tag == _TRUE
        if tag == _UNSIGNED:
            self._at = at + 9
            return _read_long(data, at + 1)[0]
        return self._read_container(tag)

    def _read_container(self, tag: int) -> Any:
        at = self._at = self._at + 1
        if tag in (_LIST, _TUPLE, _DICT):
            (count,) = _read_count(self._data, at)
            self._at = at + 4
            read = self.read
            if tag == _DICT:
                return {read(): read() for _ in range(count)}
            items = [read() for _ in range(count)]
            return items if tag == _LIST else tuple(items)
        if tag == _ARRAY:
            return self._read_array()
        if tag == _BLOB:
            return bytes(self._read_bytes())
        if tag == _OBJECT:
            return Reference(self.number())
        if tag == _ESCAPED:
            size = self.number()
            self._at += size
            return self._data[self._at - size : self._at].decode("utf-8", "backslashreplace")
        raise ValueError(f"et-inspect sent an unknown value: tag {tag}")

    def _read_array(self) -> Any:
        import numpy as np

        kind, width, writable = self._data[self._at : self._at + 3]
        self._at += 3
        sizes, strides = self._read_sizes(), self._read_sizes()
        steps = tuple(width * each for each in strides) if strides else None
        array = np.ndarray(sizes, f"{chr(kind)}{width}", self._read_bytes(), strides=steps)
        if not writable:
            array.flags.writeable = False
        return array

    def _read_sizes(self) -> tuple[int, ...]:
        (count,) = _read_count(self._data, self._at)
        sizes = struct.unpack_from(f"<{count}q", self._data, self._at + 4)
        self._at += 4 + 8 * count
        return sizes

    def _read_bytes(self) -> memoryview:
        if self._data[self._at]:
            place, offset, size = _read_place(self._data, self._at + 1)
            self._at += 18
            return memoryview(self._maps[place])[offset : offset + size]
        self._at += 2 + self._data[self._at + 1]
        size = self.number()
        self._at += size
        return memoryview(self._data)[self._at - size : self._at]
