"""Robustness: damaged files, many opens, threads, forks, Ctrl-C."""

import concurrent.futures
import gc
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import open_inspector
from samples import conv_net, sample

import et_inspect
from et_inspect.devtools import Inspector, parse_etrecord


def read_all_of_trace(path, **options):
    """Accesses everything in a trace."""
    inspector = Inspector(etdump_path=path, **options)
    inspector.print_data_tabular(file=io.StringIO())
    inspector.save_data_to_tsv(io.StringIO())
    if any(len(block.events) for block in inspector.event_blocks):
        inspector.to_dataframe(include_delegate_debug_data=True)
    inspector.find_total_for_module("layers")
    unseen = Inspector(etdump_path=path, **options)
    if len(unseen._blocks) > 0 and any(unseen._blocks.block(index)["events"] for index in range(len(unseen._blocks))):
        unseen.to_dataframe()  # without creating Event objects
    for block in inspector.event_blocks:
        assert block.reference_output is None or isinstance(block.reference_output, list)
        for event in block.events:
            event.asdict()
            assert isinstance(event.debug_data, list)


def read_all_of_record(path):
    record = parse_etrecord(path)
    graphs = [record.exported_program, *record.graph_map.values()]
    edge = record.edge_dialect_program
    graphs += edge.values() if isinstance(edge, dict) else [edge]
    for graph in filter(None, graphs):
        assert len(graph.nodes) == len(graph)
        assert graph.inputs is not None and graph.outputs is not None
    record.tensors()
    for archive in record._native.archives:
        record._native.archived(archive)
    assert isinstance(record._reference_outputs, (dict, list, type(None)))
    assert isinstance(record._representative_inputs, (dict, list, type(None)))
    return record


def in_process_of_its_own(code, *arguments, timeout=60, **options):
    """Runs Python code in a new interpreter, to isolate crashes."""
    command = [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(command, text=True, capture_output=True, timeout=timeout, **options)


# Hostile files ------------------------------------------------------------------------------------------------------


def hostile(shared, suffix):
    entries = json.loads((shared / "broken" / "manifest.json").read_text())
    found = [(shared / "broken" / entry["file"], entry["verdict"]) for entry in entries]
    return [(path, verdict) for path, verdict in found if path.suffix == suffix]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("suffix", "read", "least"), [(".etdp", read_all_of_trace, 25), (".etrecord", read_all_of_record, 8)]
)
def test_broken_files_are_errors_or_read(shared, suffix, read, least):
    files = hostile(shared, suffix)
    assert len(files) >= least
    for path, verdict in files:
        try:
            read(str(path))
            assert verdict in ("any", "mismatch"), f"{path.name} was read"
        except et_inspect.Error as error:
            assert verdict in ("any", "error"), f"{path.name}: {error}"
            assert error.file == str(path)
            assert str(error).startswith(f"{path}: ")
            assert "\n" not in str(error)
            assert error.message in str(error)
            if error.offset is not None:
                assert error.field and 0 <= error.offset <= path.stat().st_size


def test_a_record_of_another_program_is_a_warning(shared):
    record = shared / "broken" / "handle_map_other.etrecord"
    trace = shared / "traces" / "mobilenet_v2_small_portable" / "trace.etdp"
    with pytest.warns(UserWarning, match="record"):
        Inspector(etdump_path=str(trace), etrecord=str(record))


@pytest.mark.filterwarnings("ignore")
def test_any_file_in_any_place(shared):
    """Files of the wrong kind raise only et_inspect errors."""
    trace = conv_net("etdp")
    files = [path for path in (shared / "broken").iterdir() if path.is_file()]
    assert len(files) > 100
    for path in files:
        for use in (
            lambda: read_all_of_trace(str(path)),
            lambda: read_all_of_trace(trace, etrecord=str(path)),
            lambda: read_all_of_trace(trace, debug_buffer_path=str(path)),
            lambda: Inspector(etdump_data=path.read_bytes()),
        ):
            try:
                use()
            except et_inspect.Error:
                pass


def test_flipped_bytes_of_a_record(shared, tmp_path):
    """Graphs, maps and tensors are read or rejected."""
    whole = (shared / "programs" / "add_mul" / "portable.etrecord").read_bytes()
    changed_file = tmp_path / "changed.etrecord"
    refused = 0
    for at in range(0, len(whole), 37):
        changed = bytearray(whole)
        changed[at] ^= 0xFF
        changed_file.write_bytes(changed)
        try:
            read_all_of_record(str(changed_file))
        except et_inspect.Error:
            refused += 1
    assert refused > 100


@pytest.mark.filterwarnings("ignore")
def test_every_flipped_byte(tmp_path):
    """A small trace with each byte changed in turn is read or rejected."""
    whole = (sample("add_mul") / "add_mul.etdp").read_bytes()
    refused = 0
    for at in range(0, len(whole), 3):
        changed = bytearray(whole)
        changed[at] ^= 0xFF
        try:
            Inspector(etdump_data=bytes(changed)).print_data_tabular(file=io.StringIO())
        except et_inspect.Error as error:
            assert error.file == "<bytes>" or error.file is None
            refused += 1
    assert refused > 100


@pytest.mark.filterwarnings("ignore")
def test_text_that_is_no_utf8_is_printed():
    whole = (sample("add_mul") / "add_mul.etdp").read_bytes()
    name = b"native_call_add.out"
    assert name in whole
    data = whole.replace(name, b"native_\xff\xfe\n\x1b_add.out")
    inspector = Inspector(etdump_data=data)
    names = [event.name for block in inspector.event_blocks for event in block.events]
    assert any(name.encode(errors="surrogateescape") == b"native_\xff\xfe\n\x1b_add.out" for name in names)
    for accessed in (Inspector(etdump_data=data), inspector):
        strict = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        accessed.print_data_tabular(file=strict)
        accessed.save_data_to_tsv(strict)
        strict.flush()


def test_paths_of_every_kind(tmp_path):
    trace = (sample("add_mul") / "add_mul.etdp").read_bytes()
    record = (sample("add_mul") / "add_mul.etrecord").read_bytes()
    for name in ("plain", "Umlaut ä 中", os.fsdecode(b"\xff\xfe")):
        (tmp_path / f"{name}.etdp").write_bytes(trace)
        (tmp_path / f"{name}.etrecord").write_bytes(record)
        for kind in (str, lambda path: path):
            inspector = Inspector(
                etdump_path=kind(tmp_path / f"{name}.etdp"), etrecord=kind(tmp_path / f"{name}.etrecord")
            )
            assert inspector.get_exported_program() is not None
    for wrong in (tmp_path / "missing.etdp", tmp_path):
        with pytest.raises(et_inspect.errors.FileError) as caught:
            Inspector(etdump_path=wrong)
        assert caught.value.file == str(wrong)
    with pytest.raises(TypeError):
        Inspector(etdump_path=5)
    with pytest.raises(ValueError):
        Inspector(etdump_path="a\0b")


def test_a_file_that_is_cut_off_while_it_is_open(tmp_path):
    code = """
        import os, sys
        from et_inspect.devtools import Inspector
        inspector = Inspector(etdump_path=sys.argv[1], debug_buffer_path=sys.argv[2])
        os.truncate(sys.argv[2], 0)
        for block in inspector.event_blocks:
            for event in block.events:
                for value in event.debug_data:
                    getattr(value, "sum", int)()
        print("alive")
    """
    trace, buffer = tmp_path / "a.etdp", tmp_path / "a.bin"
    trace.write_bytes(pathlib.Path(conv_net("etdp")).read_bytes())
    buffer.write_bytes(pathlib.Path(conv_net("debug_buffer")).read_bytes())
    done = in_process_of_its_own(code, trace, buffer)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


# Errors -------------------------------------------------------------------------------------------------------------


def fail_on(path):
    Inspector(etdump_path=path)


def test_errors_pickle(shared):
    path = str(shared / "broken" / "mutated_01.etdp")
    with pytest.raises(et_inspect.errors.FormatError) as caught:
        fail_on(path)
    error = caught.value
    assert error.field and error.offset
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(error, protocol))
        assert type(copy) is type(error)
        assert str(copy) == str(error)
        assert vars(copy) == vars(error)


def test_errors_cross_processes(shared):
    path = str(shared / "broken" / "mutated_01.etdp")
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        with pytest.raises(et_inspect.errors.FormatError) as caught:
            pool.submit(fail_on, path).result(timeout=60)
    assert caught.value.file == path


def test_every_class_of_errors_pickles():
    kinds = [kind for kind in vars(et_inspect.errors).values() if isinstance(kind, type)]
    assert len(kinds) >= 9
    for kind in kinds:
        error = kind("a: b", message="b", file="a", field="c", offset=4)
        copy = pickle.loads(pickle.dumps(error))
        assert (type(copy), str(copy), vars(copy)) == (kind, str(error), vars(error))


# Memory -------------------------------------------------------------------------------------------------------------


def resident_bytes():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize("work", ["open", "objects", "error"])
def test_a_thousand_opens_keep_memory_steady(shared, work):
    options = {"etrecord": conv_net("etrecord"), "debug_buffer_path": conv_net("debug_buffer")}
    broken = str(shared / "broken" / "mutated_01.etdp")

    def once():
        if work == "error":
            with pytest.raises(et_inspect.Error):
                Inspector(etdump_path=broken)
            return
        inspector = Inspector(etdump_path=conv_net("etdp"), **options)
        if work == "objects":
            assert [event.debug_data for block in inspector.event_blocks for event in block.events]
            assert inspector.get_exported_program().nodes

    for _ in range(100):
        once()
    gc.collect()
    before = resident_bytes()
    for _ in range(1000):
        once()
    gc.collect()
    # The files have 450 KB: if opening leaked any of them, memory would grow by hundreds of megabytes.
    assert resident_bytes() - before < 4e6


def test_arrays_outlive_the_inspector():
    inspector = Inspector(
        etdump_path=conv_net("etdp"), debug_buffer_path=conv_net("debug_buffer")
    )
    arrays = [
        value
        for block in inspector.event_blocks
        for event in block.events
        for value in event.debug_data
        if hasattr(value, "dtype")
    ]
    sums = [float(array.sum()) for array in arrays]
    assert len(sums) > 5 and any(sums), sums
    del inspector
    gc.collect()
    assert [float(array.sum()) for array in arrays] == sums
    # numpy copies empty arrays.
    assert not any(array.flags.writeable for array in arrays if array.size)


# Threads and forks --------------------------------------------------------------------------------------------------


def test_eight_threads_on_one_trace():
    inspector = Inspector(
        etdump_path=conv_net("etdp"),
        etrecord=conv_net("etrecord"),
        debug_buffer_path=conv_net("debug_buffer"),
    )

    def seen():
        printed = io.StringIO()
        inspector.print_data_tabular(file=printed)
        frame = inspector.to_dataframe()
        gap = inspector.calculate_numeric_gap("L1")
        return printed.getvalue(), frame.drop(columns="debug_data").to_json(), gap["gap"].tolist()

    expected = seen()
    start = threading.Barrier(8)

    def work(_):
        start.wait()
        return [seen() for _ in range(5)]

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        for each in pool.map(work, range(8)):
            assert each == [expected] * 5


def child_reads():
    """Reads a trace in a forked child; returns 0 if the result equals the parent's."""
    pid = os.fork()
    if pid == 0:
        try:
            inspector = Inspector(etdump_path=conv_net("etdp"), etrecord=conv_net("etrecord"))
            os._exit(0 if inspector.event_blocks else 1)
        finally:
            os._exit(2)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return "hung"


def test_fork_after_import():
    inspector = Inspector(etdump_path=conv_net("etdp"))
    assert child_reads() == 0
    assert inspector.event_blocks


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_while_threads_work():
    """Forks while other threads work: no child deadlocks on a lock held at the time of the fork."""
    over = threading.Event()

    def work():
        while not over.is_set():
            inspector = Inspector(
                etdump_path=conv_net("etdp"),
                etrecord=conv_net("etrecord"),
                debug_buffer_path=conv_net("debug_buffer"),
            )
            inspector.calculate_numeric_gap()

    # Lazy imports have already happened: Python does not reset its import locks after a fork.
    Inspector(
        etdump_path=conv_net("etdp"),
        etrecord=conv_net("etrecord"),
        debug_buffer_path=conv_net("debug_buffer"),
    ).calculate_numeric_gap()
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        working = [pool.submit(work) for _ in range(4)]
        try:
            assert [child_reads() for _ in range(60)] == [0] * 60
        finally:
            over.set()
        for each in working:
            each.result(timeout=30)


# Ctrl-C -------------------------------------------------------------------------------------------------------------


INTERRUPTED = """
    import sys, time
    from et_inspect.devtools import Inspector
    inspector = Inspector(etdump_path=sys.argv[1], etrecord=sys.argv[2], debug_buffer_path=sys.argv[3])
    expected = str(inspector.calculate_numeric_gap()["gap"].tolist())
    try:
        print("ready", flush=True)
        while True:
            inspector.calculate_numeric_gap()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    # Nothing of it is left behind.
    assert str(inspector.calculate_numeric_gap()["gap"].tolist()) == expected
    print("again", flush=True)
"""


def test_ctrl_c_ends_work_and_leaves_nothing_behind():
    files = [conv_net(kind) for kind in ("etdp", "etrecord", "debug_buffer")]
    for delay in (0, 0.013, 0.05):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(INTERRUPTED), *map(str, files)],
            text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout.readline() == "ready\n"
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        said, wrong = process.communicate(timeout=20)
        assert (process.returncode, said) == (0, "interrupted\nagain\n"), wrong


@pytest.mark.filterwarnings("ignore")
def test_real_traces_in_threads(traces):
    """Reads all real traces concurrently and completely."""

    def work(case):
        return len(open_inspector(*case).to_dataframe())

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, traces)) == [work(case) for case in traces]
