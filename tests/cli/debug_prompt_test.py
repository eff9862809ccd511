#!/usr/bin/env python3
"""debug_prompt_test.py ET_INSPECT: types at the prompt of `et-inspect debug`, in terminals with and without cursor movement."""

import os
import pathlib
import pty
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = str(pathlib.Path(sys.argv.pop()).resolve())
LONGEST = 60  # seconds for an answer, on a busy machine


class Session:
    """A session in a terminal."""

    def __init__(self, folder, *arguments, terminal="xterm"):
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": terminal, "XDG_STATE_HOME": str(folder / "state"), "HOME": str(folder), "COLUMNS": "100"}
        environment.pop("NO_COLOR", None)
        self.process = subprocess.Popen(
            [PROGRAM, "debug", *arguments], stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment,
            start_new_session=True, preexec_fn=lambda: __import__("fcntl").ioctl(0, __import__("termios").TIOCSCTTY, 0),
        )  # fmt: skip
        os.close(slave)
        self.seen = b""

    def expect(self, text):
        """Reads until `text` appears, and returns what came before it."""
        wanted = text.encode()
        end = time.monotonic() + LONGEST
        while wanted not in self.seen:
            if not select.select([self.master], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"no {text!r} in {self.seen!r}")
            try:
                part = os.read(self.master, 65536)
            except OSError:
                part = b""
            if not part:
                raise AssertionError(f"ended without {text!r}: {self.seen!r}")
            self.seen += part
        before, self.seen = self.seen.split(wanted, 1)
        return before.decode(errors="replace")

    def type(self, text):
        os.write(self.master, text.encode())

    def end(self):
        """Reads what is left, and returns the exit code."""
        try:
            while select.select([self.master], [], [], LONGEST)[0] and os.read(self.master, 65536):
                pass
        except OSError:
            pass
        os.close(self.master)
        return self.process.wait(LONGEST)


class PromptTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        subprocess.run([PROGRAM, "sample", "add_mul"], cwd=self.folder, check=True, capture_output=True)

    def test_completes_repeats_and_keeps_the_history(self):
        session = Session(self.folder, "add_mul.pte", "--input", "ones")
        session.expect("(debug) ")
        session.type("sta\t\n")
        session.expect("Start: execution 0, instruction 0")
        session.expect("(debug) ")
        session.type("break aten.mu\t\n")
        session.expect("Breakpoint 1: aten.mul.out")
        session.expect("(debug) ")
        session.type("info \t")
        session.expect("executions")
        session.type("b\n")
        session.expect("Breakpoint 1: aten.mul.out")
        session.expect("(debug) ")
        session.type("next\n")
        session.expect("instruction 1")
        session.expect("(debug) ")
        session.type("\n")  # repeats next
        session.expect("instruction 2")
        session.expect("(debug) ")
        session.type("quit\n")
        self.assertEqual(session.end(), 0)
        history = (self.folder / "state/et-inspect/debug_history").read_text()
        self.assertIn("next", history)
        again = Session(self.folder, "add_mul.pte")
        again.expect("(debug) ")
        again.type("\x1b[A\x1b[A\n")  # the line before quit
        again.expect("next")
        again.expect("Start: execution 0")
        again.expect("(debug) ")
        again.type("\x04")  # end of input
        self.assertEqual(again.end(), 0)

    def test_reads_lines_in_a_dumb_terminal(self):
        session = Session(self.folder, "add_mul.pte", terminal="dumb")
        session.expect("(debug) ")
        session.type("start\n")
        self.assertNotIn("\x1b", session.expect("Start: execution 0") + session.expect("(debug) "))
        session.type("\x04")
        self.assertEqual(session.end(), 0)

    def test_ctrl_c_at_the_prompt_starts_a_new_line(self):
        for terminal in ("xterm", "dumb"):
            session = Session(self.folder, "add_mul.pte", "--input", "ones", "-x", "start", terminal=terminal)
            for _ in range(20):  # as soon as the prompt appears
                session.expect("(debug) ")
                session.type("nonsense\x03")
            session.expect("(debug) ")
            session.type("where\n")
            session.expect("Start: execution 0")
            session.type("quit\n")
            self.assertEqual(session.end(), 0)

    def test_reports_the_signal_that_ends_a_waiting_session(self):
        session = Session(self.folder, "add_mul.pte")
        session.expect("(debug) ")
        os.kill(session.process.pid, signal.SIGTERM)
        session.expect("terminated")
        self.assertEqual(session.end(), 143)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
