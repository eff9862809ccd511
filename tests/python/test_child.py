"""The child process of the package: crashes, forks, working directories, and its end."""

import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from samples import conv_net, sample

from et_inspect import _child, _native, errors
from et_inspect.devtools import Inspector
from et_inspect._values import Inputs
from et_inspect.runtime import Runtime


def child_pid():
    _native.backend_names()
    return _child._child._process.pid


def is_running(pid):
    try:
        return "Z" not in pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False


def wait_until(condition):
    deadline = time.monotonic() + 20
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert condition()


def test_a_crash_is_an_exception_and_the_next_call_works():
    inspector = Inspector(etdump_path=conv_net("etdp"), etrecord=conv_net("etrecord"))
    method = Runtime.get().load_program(conv_net("pte")).load_method("forward")
    inputs = [np.ones(method.metadata.input_tensor_meta(0).sizes(), np.float32)]
    expected = method.execute(inputs)[0]
    events = len(inspector.to_dataframe())
    with method.trace() as trace:
        method.execute(inputs)
        killed = child_pid()
        os.kill(killed, signal.SIGSEGV)
        with pytest.raises(errors.RunError, match="was ended by SIGSEGV"):
            for _ in range(100):
                method.execute(inputs)
        with pytest.raises(errors.RunError, match="the recorded trace was lost"):
            assert trace.etdump
        with pytest.raises(errors.RunError, match="the recorded trace was lost"):
            trace._recording.stop()
        trace._recording.stop = lambda: None
    np.testing.assert_array_equal(method.execute(inputs)[0], expected)
    assert len(inspector.to_dataframe()) == events
    assert child_pid() != killed
    assert not is_running(killed)


def test_large_arrays_are_shared():
    sizes = (256, 1024)
    array = np.arange(sizes[0] * sizes[1], dtype=np.float32).reshape(sizes)
    program = (sample("add_mul") / "add_mul.pte").read_bytes()
    with pytest.raises(errors.ArgumentError, match=r"expected float32 \[4, 4\], got float32 \[256, 1024\]"):
        _native.write_bundle(program, [("forward", [([array, array, array], [])])])
    trace = pathlib.Path(conv_net("etdp")).read_bytes()
    blocks = _native.Blocks.open(trace + bytes(1 << 20), None, None, "ns", "ms", "", False)
    assert len(blocks) > 0


def test_more_inputs_than_the_method_has():
    array = np.ones((4, 4), np.float32)
    with pytest.raises(errors.ArgumentError, match=r"expected 3 inputs.*, got 9"):
        _native.write_bundle((sample("add_mul") / "add_mul.pte").read_bytes(), [("forward", [([array] * 9, [])])])


def test_paths_are_relative_to_the_current_folder(tmp_path, monkeypatch):
    child_pid()
    (tmp_path / "here.etdp").write_bytes(pathlib.Path(conv_net("etdp")).read_bytes())
    monkeypatch.chdir(tmp_path)
    assert Inspector(etdump_path="here.etdp").event_blocks
    monkeypatch.chdir("/")
    with pytest.raises(errors.FileError, match=r"^here.etdp: "):
        Inspector(etdump_path="here.etdp")


def test_threads_have_connections_of_their_own():
    before = threading.active_count()
    found = []
    threads = [threading.Thread(target=lambda: found.append(_native.operator_names())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all(each == found[0] for each in found)
    assert threading.active_count() == before


@pytest.mark.parametrize(
    "sent",
    [b"\xff" * 16, b"\x01" + bytes(7) + b"\xff" * 8, b"\x01" + bytes(7) + b"\x04" + bytes(7) + b"\xff" * 4, bytes(16)],
    ids=["kind", "length", "count", "no call"],
)
def test_malformed_frames_end_only_their_connection(sent):
    pid = child_pid()
    connection = _child._child._open()
    connection._socket.settimeout(20)
    connection._socket.sendall(sent)
    connection._socket.shutdown(socket.SHUT_WR)
    while connection._socket.recv(1 << 16):
        pass
    connection.close()
    assert child_pid() == pid


def exchange(sent):
    """Sends bytes on a connection of its own, and returns the first byte of the answer; empty if it is closed."""
    connection = _child._child._open()
    connection._socket.settimeout(20)
    connection._socket.sendall(sent)
    answer = connection._socket.recv(1)
    connection.close()
    return answer


def test_mutated_calls_are_answered_or_rejected():
    pid = child_pid()
    random.seed(1)
    array = np.ones((2, 3), np.float32)
    calls = [
        ("grid", [["a", "b"], [[1, 2.5], [None, "x"]]]),
        ("bar_picture", ["title", [("a", 1.0, "1", None, 2.0, "plain")]]),
        ("options", ["bench"]),
        ("write_bundle", [(sample("add_mul") / "add_mul.pte").read_bytes(), [("forward", [(Inputs([array] * 3), Inputs())])]]),
    ]
    answered = 0
    for name, arguments in calls:
        writer = _child._child._open()._writer(name)
        writer.add(arguments)
        for _ in range(100):
            payload = bytearray(writer.out)
            for _ in range(random.randrange(1, 4)):
                payload[random.randrange(min(len(payload), 400))] = random.choice((0, 1, 6, 9, 13, 127, 255))
            answer = exchange(bytes((1, 0, 0, 0, 0, 0, 0, 0)) + len(payload).to_bytes(8, "little") + payload)
            answered += answer in (b"\x04", b"\x05")
    assert answered == 400
    assert child_pid() == pid


ENDS = """
    import os, sys, signal
    from et_inspect import _child, _native
    print(len(_native.backend_names()), _child._child._process.pid, flush=True)
    if sys.argv[1] == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if sys.argv[1] == "skipped":
        os._exit(0)
"""


@pytest.mark.parametrize("how", ["normal", "killed", "skipped"])
def test_the_child_ends_with_its_parent(how):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(ENDS), how], capture_output=True, text=True, timeout=60)
    pid = int(done.stdout.split()[1])
    wait_until(lambda: not is_running(pid))
    assert done.stderr == ""


def test_each_fork_has_its_own_child():
    pid = child_pid()
    reader, writer = os.pipe()
    if os.fork() == 0:
        try:
            os.write(writer, str(child_pid()).encode())
        finally:
            os._exit(0)
    os.wait()
    os.close(writer)
    with os.fdopen(reader) as said:
        other = int(said.read())
    assert other != pid == child_pid()
    wait_until(lambda: not is_running(other))
