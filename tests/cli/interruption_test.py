#!/usr/bin/env python3
"""interruption_test.py ET_INSPECT [SEED]: interrupts every command of et-inspect at random times, by SIGINT and by SIGTERM, and
checks the exit code, the message, and that the files that exist afterwards are complete.

Each command has at least one row in command_rows.py; a command without one fails the test. A row runs once undisturbed, which
measures its duration and yields the expected files, and is then interrupted at random fractions of the duration. A process that
had ended before the signal is checked as well. The seed is printed; with it, the same fractions are used again."""

import concurrent.futures
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import xml.dom.minidom

from command_rows import PREPARATION, ROWS, described, faults_of_rows

TIMES = 10  # interruptions of each row by each signal
TO_END = 10  # seconds between signal and end, on a busy machine; an instruction may be running
LONGEST = 1  # seconds of a row; later times are not tried
CODES = {signal.SIGINT: (130, "interrupted"), signal.SIGTERM: (143, "terminated")}


class Fault(Exception):
    pass


def files_of(folder):
    """Path in the folder -> content."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.endswith(".part")  # removed by the next writer
    }


class Test:
    def __init__(self, program, root):
        self.root = root
        self.samples = root / "samples"
        self.samples.mkdir()
        self.environment = {
            **os.environ,
            "PATH": f"{pathlib.Path(program).resolve().parent}:{os.environ['PATH']}",
            "S": str(self.samples),
            "LC_ALL": "C.UTF-8",
        }
        self.environment.pop("ET_INSPECT_STORE", None)

    def prepare(self):
        made = subprocess.run(PREPARATION, shell=True, cwd=self.samples, env=self.environment, capture_output=True, text=True)
        if made.returncode != 0:
            raise SystemExit(f"preparation failed: {made.stderr}")

    def start(self, row, folder):
        folder.mkdir()
        home = folder.with_name(folder.name + ".home")
        home.mkdir()
        # exec: the signal reaches et-inspect itself.
        return subprocess.Popen(
            f"exec et-inspect {row}", shell=True, cwd=folder, text=True, errors="replace",
            env={**self.environment, "HOME": str(home), "XDG_CACHE_HOME": str(home), "XDG_DATA_HOME": str(home),
                 "XDG_CONFIG_HOME": str(home)},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    def read_with_et_inspect(self, name, folder):
        read = subprocess.run(["et-inspect", "info", name], cwd=folder, env=self.environment, capture_output=True, text=True)
        if read.returncode != 0:
            raise Fault(f"{name} is not readable: {read.stderr}")

    def check_files(self, folder, found):
        for name, content in found.items():
            kind = pathlib.Path(name).suffix
            try:
                if kind == ".json":
                    json.loads(content)
                elif kind in (".svg", ".xml"):
                    xml.dom.minidom.parseString(content)
                elif kind in (".pte", ".bpte", ".ptd", ".etrecord", ".etdp") or name == "session.db":
                    self.read_with_et_inspect(name, folder)
                elif kind == ".html" and not content.rstrip().endswith(b"</html>"):
                    raise Fault(f"{name} is cut short")
            except (ValueError, xml.parsers.expat.ExpatError) as error:
                raise Fault(f"{name} is incomplete: {error}") from None

    def interrupt(self, row, how, delay, folder, undisturbed):
        process = self.start(row.lstrip("=~"), folder)
        time.sleep(delay)
        process.send_signal(how)  # does nothing if the process ended
        sent = time.monotonic()
        try:
            out, err = process.communicate(timeout=TO_END)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise Fault(f"still runs {TO_END} s after the signal") from None
        took = time.monotonic() - sent
        code, message = CODES[how]
        expected_code, expected_files = undisturbed
        found = files_of(folder)
        if process.returncode == code:
            if message not in err:
                raise Fault(f"no message '{message}': {err!r}")
        elif process.returncode == -how and not out and not err and not found:
            return took, False  # main() had not started
        elif process.returncode != expected_code:
            raise Fault(f"exit code {process.returncode}, expected {code}: {err!r}")
        elif found.keys() != expected_files.keys():
            raise Fault(f"exit code {process.returncode}, but wrote {list(found)}, not {list(expected_files)}")
        if process.returncode == expected_code and "json" in row and "-o " not in row:
            try:
                json.loads(out)
            except ValueError as error:
                raise Fault(f"stdout is incomplete: {error}") from None
        self.check_files(folder, found)
        if row.startswith("="):
            for name, content in found.items():
                if name in expected_files and content != expected_files[name]:
                    raise Fault(f"{name} differs from that of a complete run")
        return took, process.returncode == code

    def run_row(self, number, command, row, times):
        """Faults of the row, and its figures."""
        text = (row[0] if row[0] in "=~" else "") + f"{command} {row.lstrip('=~')}".strip()
        folder = self.root / f"row{number}"
        began = time.monotonic()
        if text.startswith("~"):
            duration, undisturbed = LONGEST, (None, {})
        else:
            process = self.start(text.lstrip("="), folder)
            out, err = process.communicate(timeout=60)
            duration = time.monotonic() - began
            if process.returncode not in (0, 1):
                return [f"{text}: exit code {process.returncode} without interruption: {err}"], ""
            undisturbed = process.returncode, files_of(folder)
            shutil.rmtree(folder)
        faults = []
        hits = 0
        slowest = 0.0
        for index, (how, fraction) in enumerate(times):
            delay = fraction * min(duration, LONGEST)
            try:
                took, hit = self.interrupt(text, how, delay, self.root / f"row{number}.{index}", undisturbed)
                hits += hit
                slowest = max(slowest, took)
            except Fault as fault:
                faults.append(f"{text}: {how.name} after {delay * 1000:.0f} of {duration * 1000:.0f} ms: {fault}")
            shutil.rmtree(self.root / f"row{number}.{index}", ignore_errors=True)
            shutil.rmtree(self.root / f"row{number}.{index}.home", ignore_errors=True)
        return faults, f"{duration:7.3f} s, {hits:2} of {len(times)} interrupted, ended within {slowest:.3f} s: {text}"


def main():
    program = sys.argv[1]
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 45
    only = sys.argv[3:]
    print(f"seed {seed}")
    generator = random.Random(seed)
    faults = faults_of_rows(described(program).keys(), ROWS)
    with tempfile.TemporaryDirectory() as root, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        test = Test(program, pathlib.Path(root))
        test.prepare()
        jobs = []
        for command, rows in ROWS.items():
            for row in rows:
                times = [(how, generator.random()) for how in CODES for _ in range(TIMES)]
                if not only or command in only:
                    jobs.append(pool.submit(test.run_row, len(jobs), command, row, times))
        for job in jobs:
            found, figures = job.result()
            faults += found
            print(figures, flush=True)
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
