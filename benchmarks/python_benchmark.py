"""Measures the overhead of the Python package against its targets.

usage: tools/env python3 benchmarks/python_benchmark.py [--build FOLDER] [--repeats N]

Cold starts are measured from process start to exit; the best of N runs is reported, because load on a shared machine only adds
time. `--build` is the folder of a release build with the targets python, et-inspect and write_trace.
"""

from __future__ import annotations

import argparse
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

CHECKOUT = pathlib.Path(__file__).resolve().parents[1]
SHARED = CHECKOUT.parent / "shared" / "data"

IMPORT = """
import time, sys
def resident():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS"))
before = resident()
start = time.perf_counter()
import et_inspect.devtools
took = time.perf_counter() - start
print(took, (resident() - before) / 1000)
"""
TABLE = """
import sys
from et_inspect.devtools import Inspector
Inspector(etdump_path=sys.argv[1], etrecord=sys.argv[2]).print_data_tabular()
"""
FRAME = """
import sys, time
import pandas
from et_inspect.devtools import Inspector
wall, processor = time.perf_counter(), time.process_time()
frame = Inspector(etdump_path=sys.argv[1]).to_dataframe()
wall, processor = time.perf_counter() - wall, time.process_time() - processor
assert sum(map(len, frame["raw"])) == 1_000_000
print(wall, processor, len(frame))
"""


CALLS = """
import sys, time
import numpy
from et_inspect.runtime import Runtime
method = Runtime.get().load_program(sys.argv[1]).load_method("forward")
inputs = [numpy.ones((4, 4), numpy.float32)] * 3
def median(call):
    times = []
    for _ in range(5000):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return sorted(times)[len(times) // 2]
print(median(lambda: method._native.name), median(lambda: method.execute(inputs)))
"""


class Process:
    """One run of Python code with the package on its path."""

    def __init__(self, build: pathlib.Path, code: str, *arguments: object) -> None:
        start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            env={"PYTHONPATH": str(build / "python"), "ET_INSPECT_LAUNCHER": str(build / "app" / "cli" / "et-inspect")},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.said = done.stdout
        self.wall = time.perf_counter() - start
        self.processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def line(what: str, measured: float, unit: str, target: float | None, note: str = "") -> None:
    """Prints a row: name, measurement, target and note."""
    wanted = "" if target is None else f"target {target:g} {unit}"
    print(f"{what:<58} {measured:>9.1f} {unit:<3} {wanted:<16} {note}")


def measure_start(build: pathlib.Path, repeats: int) -> None:
    """Measures the import, and reading a small trace with its ETRecord."""
    bare = [Process(build, "pass") for _ in range(repeats)]
    line("python3 that does nothing", 1e3 * min(run.wall for run in bare), "ms", None)
    imports = [tuple(map(float, Process(build, IMPORT).said.split())) for _ in range(repeats)]
    line("import et_inspect.devtools", 1e3 * min(took for took, _ in imports), "ms", 50)
    line("import et_inspect.devtools, resident memory", max(memory for _, memory in imports), "MB", 30)
    trace = SHARED / "traces" / "add_mul_portable" / "trace.etdp"
    record = SHARED / "programs" / "add_mul" / "portable.etrecord"
    if not trace.exists():
        print("real files are not beside this checkout: the small trace is not measured")
        return
    tables = [Process(build, TABLE, trace, record) for _ in range(repeats)]
    assert "native_call_add.out" in tables[0].said
    best = min(tables, key=lambda run: run.wall)
    line("cold process: Inspector with ETRecord, its table", 1e3 * best.wall, "ms", 80, f"{1e3 * best.processor:.0f} ms processor")


def measure_frames(build: pathlib.Path, repeats: int) -> None:
    """Measures converting 1,000,000 events to a DataFrame, without the import of pandas."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder, "trace.etdp")
        for runs, events, target in ((1000, 1000, 1000), (100, 10_000, 1000), (1, 1_000_000, 1000)):
            subprocess.run([build / "benchmarks" / "write_trace", str(runs), str(events), trace], check=True)
            found = [tuple(map(float, Process(build, FRAME, trace).said.split())) for _ in range(min(repeats, 5))]
            wall, processor, rows = min(found)
            what = f"1,000,000 events, {runs:,} runs: {int(rows):,} rows"
            line(what, 1e3 * wall, "ms", target, f"{1e3 * processor:.0f} ms processor")


def measure_calls(build: pathlib.Path, repeats: int) -> None:
    """Measures a call to the child process that only reads a property, and an execution of a model that takes 2 us."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([build / "app" / "cli" / "et-inspect", "sample", "add_mul", "-o", folder], check=True, capture_output=True)
        program = pathlib.Path(folder, "add_mul.pte")
        found = [tuple(map(float, Process(build, CALLS, program).said.split())) for _ in range(min(repeats, 5))]
    line("call of a property, median", 1e6 * min(call for call, _ in found), "us", 200)
    line("execution of add_mul with its call, median", 1e6 * min(execution for _, execution in found), "us", 200)


def main() -> None:
    """Runs the benchmark and prints the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=CHECKOUT / "build" / "release")
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args()
    measure_start(options.build.resolve(), options.repeats)
    measure_calls(options.build.resolve(), options.repeats)
    measure_frames(options.build.resolve(), options.repeats)


if __name__ == "__main__":
    main()
