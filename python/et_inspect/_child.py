"""Calls functions of ``et-inspect serve``, a process that starts with the first call and ends with this one.

A model that crashes ends that process, not this one: the call raises RunError, and the next call starts another. Each thread
that calls has a connection of its own, a socket; a call is one write and one read. Closing the socket cancels the call. Large
arrays are in shared memory. Kernels in Python are called by the thread that waits for their run.
"""

from __future__ import annotations

import array
import atexit
import builtins
import collections
import contextlib
import math
import mmap
import os
import socket
import struct
import sys
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

from . import _places, errors
from ._version import VERSION
from ._values import Reader, Reference, Writer

# app/serve/protocol.h
_PROTOCOL = 1
_OPEN, _CALL, _REPLY, _RAISED, _RESULT, _FAILED, _CALLBACK = range(7)
_HEAD = struct.Struct("<B7xQ")

_MAX_DESCRIPTORS = 64
_ANCILLARY_BYTES = socket.CMSG_SPACE(4 * _MAX_DESCRIPTORS)
_SCRATCH_BYTES = 128 << 10
# Time for the process to end its calls.
_PATIENCE_SECONDS = 4
_MAX_MAPPINGS = 256
# The child checks the time limit of a run first.
_GRACE_SECONDS = 0.05

_BUILTIN = {"TypeError", "ValueError", "IndexError", "KeyError", "MemoryError"}


class _Release(weakref.ref):
    """Adds itself to a queue when its object is gone. Written in C, so a signal handler cannot interrupt it."""

    __slots__ = ("number", "child")

    def __init__(self, served: Served, queue: Callable[[Any], None]) -> None:
        super().__init__(served, queue)

    def __new__(cls, served: Served, queue: Callable[[Any], None]) -> _Release:
        return super().__new__(cls, served, queue)


# Weak references to all Served objects by id, and those whose objects are gone.
_alive: dict[int, _Release] = {}
_released: collections.deque[_Release] = collections.deque()


class Served:
    """An object in the child. If the child has ended, or this process was forked, the object is recreated when it is used."""

    # Why an object cannot be recreated; empty if it can.
    _LOST = ""

    def __init__(self, child: _Child, number: int, function: str, arguments: tuple, folder: str | None) -> None:
        self._made = (function, arguments, folder)
        self._keep(child, number)

    def _keep(self, child: _Child, number: int) -> None:
        self._child = child
        self._number = number
        release = _Release(self, _released.append)
        release.number = number
        release.child = weakref.ref(child)
        _alive[id(release)] = release

    def _number_in(self, child: _Child) -> int:
        if self._child is not child:
            self._recreate(child)
        return self._number

    def _recreate(self, child: _Child) -> None:
        if self._LOST:
            raise lost(self._LOST)
        function, arguments, folder = self._made
        self._keep(child, child.call(function, arguments, folder=folder))


class _Connection:
    """A socket to a thread of the child. Used by one thread at a time."""

    def __init__(self, child: _Child, sock: socket.socket) -> None:
        self._child = child
        self._socket = sock
        self._scratch = bytearray(_SCRATCH_BYTES)
        self._arena: mmap.mmap | None = None
        self._arena_used = 0
        self._new_arena: int | None = None
        self._deadline = math.inf
        self._raised: BaseException | None = None
        self.is_open = True

    def close(self) -> None:
        """Cancels the current call."""
        self.is_open = False
        with contextlib.suppress(OSError):  # forks may have copies of the socket
            self._socket.shutdown(socket.SHUT_RDWR)
        self.forget()

    def forget(self) -> None:
        """Closes the socket of this process only."""
        self._child.connections.discard(self)
        self._socket.close()

    def call(self, function: str, arguments: tuple, timeout: float | None = None) -> Any:
        """Calls a function. Raises its exception; any other exception closes the connection."""
        writer = self._writer(function)
        writer.add(list(arguments))
        outer, self._deadline = self._deadline, math.inf if timeout is None else time.monotonic() + timeout + _GRACE_SECONDS
        try:
            self._send(_CALL, writer.out)
            kind, answer = self._answer()
        except BaseException:
            self.close()
            raise
        finally:
            self._deadline = outer
        if kind == _FAILED:
            raise self._failure(*answer)
        return answer

    def _writer(self, text: str | None = None) -> Writer:
        """Starts a message with the numbers of objects that are no longer used, and a text."""
        writer = Writer(lambda value: value._number_in(self._child) if isinstance(value, Served) else None, self._store)
        self._arena_used = 0
        numbers = self._child.released()
        writer.out += struct.pack(f"<I{len(numbers)}Q", len(numbers), *numbers)
        if text is not None:
            writer.add_text(text)
        return writer

    def _answer(self) -> tuple[int, Any]:
        kind, reader = self._receive()
        while kind == _CALLBACK:
            self._call_kernel(reader)
            kind, reader = self._receive()
        return kind, reader.read()

    def _failure(
        self, name: str, text: str, message: str, file: str | None, field: str | None, offset: int | None, of_kernel: bool
    ) -> BaseException:
        if of_kernel and self._raised is not None:
            raised, self._raised = self._raised, None
            if hasattr(raised, "add_note"):
                raised.add_note(text)
            else:  # Python 3.10
                raised.__notes__ = [*getattr(raised, "__notes__", ()), text]
            return raised
        if name in _BUILTIN:
            return getattr(builtins, name)(message)
        return getattr(errors, name)(text, message=message, file=file, field=field, offset=offset)

    def _call_kernel(self, reader: Reader) -> None:
        number = reader.number()
        inputs, results = reader.read()
        for each in inputs:
            for value in each if isinstance(each, list) else (each,):
                if hasattr(value, "flags"):
                    value.flags.writeable = False
        lent = [KernelResult(self, *each) for each in results]
        outer = getattr(_running, "connection", None)
        _running.connection = self
        try:
            with _time_limit(self._deadline):
                self._child.kernels[number](inputs, lent)
        except Exception as error:
            self._raised = error
            self._send(_RAISED, self._writer(f"{type(error).__name__}: {error}").out)
            return
        finally:
            _running.connection = outer
            for each in lent:
                each.end()
        writer = self._writer()
        writer.start_list(len(lent))
        for each in lent:
            if each.written is None:
                writer.add(None)
            else:
                writer.add_array(each.written)
        self._send(_REPLY, writer.out)

    def _send(self, kind: int, payload: bytearray) -> None:
        head = _HEAD.pack(kind, len(payload))
        arena, self._new_arena = self._new_arena, None
        try:
            if arena is not None:
                head_sent = self._socket.sendmsg([head], [_rights(arena)])
                head = head[head_sent:]
            self._socket.sendall(head + payload)
        except (BrokenPipeError, ConnectionError) as error:
            raise self._child.ended() from error
        finally:
            if arena is not None:
                os.close(arena)

    def _receive(self) -> tuple[int, Reader]:
        scratch, got, descriptors = self._scratch, 0, []
        try:
            while got < _HEAD.size:
                got += self._receive_some(memoryview(scratch)[got:], descriptors)
            kind, size = _HEAD.unpack_from(scratch)
            payload = bytearray(memoryview(scratch)[_HEAD.size : got])
            if len(payload) < size:
                payload = self._receive_rest(payload, size, descriptors)
            return kind, Reader(payload, [_mapped(each) for each in descriptors])
        except ConnectionError as error:
            raise self._child.ended() from error
        finally:
            for each in descriptors:
                os.close(each)

    def _receive_rest(self, start: bytearray, size: int, descriptors: list[int]) -> bytearray:
        payload, got = bytearray(size), len(start)
        payload[:got] = start
        while got < size:
            got += self._receive_some(memoryview(payload)[got:], descriptors)
        return payload

    def _receive_some(self, into: memoryview, descriptors: list[int]) -> int:
        count, ancillary, _, _ = self._socket.recvmsg_into([into], _ANCILLARY_BYTES)
        if count == 0:
            raise self._child.ended()
        descriptors += _descriptors(ancillary)
        return count

    def _store(self, data: Any, size: int) -> int | None:
        """Copies bytes to shared memory that the child knows."""
        offset = (self._arena_used + 63) // 64 * 64
        if self._arena is None or offset + size > len(self._arena):
            # Earlier bytes of the message are in the present memory.
            if offset > 0 or not self._make_arena(size):
                return None
        self._arena_used = offset + size
        self._arena[offset : offset + size] = data
        return offset

    def _make_arena(self, size: int) -> bool:
        if not hasattr(os, "memfd_create"):
            return False
        import fcntl

        try:
            made = os.memfd_create("et-inspect", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        except OSError:
            return False
        total = 1 << (max(size, 1 << 20) - 1).bit_length()
        os.ftruncate(made, total)
        fcntl.fcntl(made, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK)
        self._arena = mmap.mmap(made, total)
        if self._new_arena is not None:
            os.close(self._new_arena)
        self._new_arena = made
        return True


class KernelResult:
    """A tensor that a running kernel writes.

    Attributes:
        dtype: as ``float32``.
        written: the elements that the kernel wrote; None if it did not.
    """

    def __init__(self, connection: _Connection, number: int, dtype: str, sizes: list[int]) -> None:
        self._connection: _Connection | None = connection
        self._number = number
        self._sizes = sizes
        self.dtype = dtype
        self.written: Any = None

    def array(self) -> Any:
        """Returns its elements, which are writable. Raises UnsupportedError for bfloat16, which numpy lacks."""
        import numpy as np

        self._check()
        if self.dtype == "bfloat16":
            raise errors.UnsupportedError("numpy has no dtype for bfloat16 to write to")
        if self.written is None:
            try:
                self.written = np.zeros(self._sizes, self.dtype)
            except TypeError:
                raise errors.UnsupportedError(f"numpy has no dtype for {self.dtype}") from None
        return self.written

    def resize(self, sizes: list[int]) -> None:
        """Changes its shape, within the memory that the program planned for it."""
        self._check()
        if sizes != self._sizes:
            self._connection.call("KernelResult.resize", (Reference(self._number), sizes))
            self._sizes, self.written = sizes, None

    def store_floats(self, numbers: Any) -> None:
        """Writes float32 numbers of the same shape, which are converted to its dtype."""
        self._check()
        self.written = numbers

    def end(self) -> None:
        """Ends the access: the kernel has returned."""
        self._connection = None

    def _check(self) -> None:
        if self._connection is None:
            raise errors.ArgumentError("the kernel has returned")


class _Child:
    """A process of ``et-inspect serve``."""

    def __init__(self) -> None:
        from . import _processes  # only for programs that call it: subprocess takes time to import

        self.kernels: dict[int, Callable[[list, list], object]] = {}
        self._path = _places.find()
        self.connections: set[_Connection] = set()
        self._idle: list[_Connection] = []
        self._opening = threading.Lock()
        self._folder: str | None = None
        self._control, theirs = socket.socketpair()
        with theirs:
            try:
                self._process = _processes.start([self._path, "serve", "--stdio"], stdin=theirs)
            except BaseException:
                self._control.close()
                raise

    def introduce(self) -> None:
        """Checks that the program has the version of the package, and registers the kernels."""
        try:
            protocol, version = self.call("hello", ())
        except errors.RunError as error:
            raise errors.RunError(f"{self._path}: cannot serve the package {VERSION}: {error}") from error
        if (protocol, version) != (_PROTOCOL, VERSION):
            raise errors.RunError(f"{self._path} is version {version}, but the package et_inspect is {VERSION}")
        for kernel in _kernels:
            self.register(*kernel)

    def register(self, name: str, inputs: int, results: int) -> None:
        """Registers a kernel of this process."""
        key = (name, inputs, results)
        self.kernels[self.call("register_kernel", key)] = lambda given, lent: _functions[key](given, lent)

    def call(self, function: str, arguments: tuple, *, folder: str | None = None, timeout: float | None = None) -> Any:
        """Calls a function on the connection of this thread's kernel, or on a free one.

        Args:
            function: its name.
            arguments: its arguments.
            folder: working directory for paths; None: there are none.
            timeout: seconds after which a kernel is interrupted.
        """
        for argument in arguments:
            if isinstance(argument, Served):
                argument._number_in(self)
        running = getattr(_running, "connection", None)
        nested = running is not None and running._child is self
        try:
            connection = running if nested else self._idle.pop()
        except IndexError:
            connection = self._open()
        try:
            if folder is not None and folder != self._folder:
                connection.call("set_folder", (folder,))
                self._folder = folder
            return connection.call(function, arguments, timeout)
        finally:
            if not nested and connection.is_open:
                self._idle.append(connection)

    def _open(self) -> _Connection:
        ours, theirs = socket.socketpair()
        with theirs, self._opening:
            try:
                self._control.sendmsg([_HEAD.pack(_OPEN, 0)], [_rights(theirs.fileno())])
            except ConnectionError as error:
                ours.close()
                raise self.ended() from error
        made = _Connection(self, ours)
        self.connections.add(made)
        return made

    def released(self) -> list[int]:
        """Returns the numbers of objects that are no longer used."""
        numbers = []
        while _released:
            try:
                release = _released.popleft()
            except IndexError:
                break
            _alive.pop(id(release), None)
            if release.child() is self:
                numbers.append(release.number)
        return numbers

    def ended(self) -> errors.RunError:
        """Returns the exception for the end of the process, after which the next call starts another."""
        from . import _processes

        global _child
        if _child is self:
            _child = None
        code = _processes.wait_or_kill(self._process, _PATIENCE_SECONDS)
        return errors.RunError(f"et-inspect {_processes.exit_description(code)} during the call; the next call starts it again")

    def forget(self) -> None:
        """Closes the sockets of a process that belongs to the parent of this fork."""
        self._process.returncode = 0  # it cannot be waited for
        self._control.close()
        for connection in list(self.connections):
            connection.forget()

    def end(self) -> None:
        """Ends the process."""
        from . import _processes

        with contextlib.suppress(OSError):
            self._control.shutdown(socket.SHUT_RDWR)
        self._control.close()
        for connection in list(self.connections):
            connection.close()
        _processes.wait_or_kill(self._process, _PATIENCE_SECONDS)


_mappings: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
_child: _Child | None = None
_starting = threading.RLock()
_running = threading.local()
# Functions of kernels by name, number of inputs and of results; and the kernels that are registered.
_functions: dict[tuple[str, int, int], Callable[[list, list], None]] = {}
_kernels: dict[tuple[str, int, int], None] = {}


def _current() -> _Child:
    global _child
    child = _child
    if child is None:
        with _starting:
            if _child is None:
                started = _Child()
                try:
                    started.introduce()
                except BaseException:
                    started.end()
                    raise
                _child = started
            child = _child
    return child


def call(function: str, *arguments: Any, timeout: float | None = None) -> Any:
    """Calls a function of the child."""
    return _current().call(function, arguments, timeout=timeout)


def call_with_paths(function: str, *arguments: Any) -> Any:
    """Calls a function with paths among its arguments, which may be relative to the working directory."""
    return _current().call(function, arguments, folder=_folder())


def make(kind: type, function: str, *arguments: Any, paths: bool = False) -> Any:
    """Calls a function that returns an object, or None; returns the object as ``kind``."""
    child = _current()
    folder = _folder() if paths else None
    number = child.call(function, arguments, folder=folder)
    return None if number is None else kind(child, number, function, arguments, folder)


def functions() -> dict[int, Callable[[list, list], object]]:
    """Returns the functions that the child can call, by number."""
    return _current().kernels


def register_kernel(name: str, function: Callable[[list, list], None], inputs: int, results: int) -> None:
    """Registers a function as the kernel of an operator, for programs that are loaded later."""
    key = (name, inputs, results)
    child = _current()
    before = _functions.get(key)
    _functions[key] = function
    try:
        child.register(*key)
    except BaseException:
        if before is None:
            del _functions[key]
        else:
            _functions[key] = before
        raise
    _forget_kernel(name)
    _kernels[key] = None


def remove_kernel(name: str) -> bool:
    """Removes a kernel. Returns whether it existed."""
    _forget_kernel(name)
    return call("remove_kernel", name)


def _forget_kernel(name: str) -> None:
    for key in [key for key in _kernels if key[0] == name]:
        del _kernels[key]


def lost(what: str) -> errors.RunError:
    """Returns the exception for state that cannot be recreated."""
    return errors.RunError(f"{what} when et-inspect ended or this process was forked: load the program again")


def _folder() -> str | None:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return None


def _rights(descriptor: int) -> tuple[int, int, bytes]:
    return socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [descriptor]).tobytes()


def _descriptors(ancillary: list[tuple[int, int, bytes]]) -> list[int]:
    found = array.array("i")
    for level, kind, data in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            found.frombytes(data[: len(data) - len(data) % found.itemsize])
    return list(found)


def _mapped(descriptor: int) -> Any:
    if sys.version_info >= (3, 13):
        return mmap.mmap(descriptor, 0, trackfd=False)
    # These keep a copy of the descriptor.
    mapping = mmap.mmap(descriptor, 0)
    if len(_mappings) < _MAX_MAPPINGS:
        _mappings.add(mapping)
        return mapping
    with mapping:
        return bytearray(mapping)


@contextlib.contextmanager
def _time_limit(deadline: float) -> Any:
    """Raises CancelledError in this thread when the deadline has passed."""
    if deadline == math.inf:
        yield
        return
    import ctypes

    guard, state = threading.Lock(), {"running": True, "late": False}
    thread = ctypes.c_ulong(threading.get_ident())

    def interrupt() -> None:
        with guard:
            if state["running"]:
                state["late"] = True
                ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(errors.CancelledError))

    timer = threading.Timer(max(deadline - time.monotonic(), 0), interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    except errors.CancelledError:
        state["late"] = False  # delivered
        raise
    finally:
        timer.cancel()
        with guard:
            state["running"] = False
        if state["late"] and sys.exc_info()[0] is None:
            with contextlib.suppress(errors.CancelledError):
                time.sleep(1)  # until it is delivered


def _forget_child() -> None:
    """Gives a fork its own child: it has copies of the parent's sockets, but must not use them."""
    global _child, _starting, _running
    if _child is not None:
        _child.forget()
    _child = None
    _starting = threading.RLock()
    _running = threading.local()


def _end_child() -> None:
    global _child
    child, _child = _child, None
    if child is not None:
        child.end()


os.register_at_fork(after_in_child=_forget_child)
atexit.register(_end_child)
