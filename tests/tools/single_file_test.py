"""Runs the single file where nothing is installed: in an empty root folder, as root and as another user, read-only and damaged.

usage: single_file_test.py SINGLE_FILE ET_INSPECT PLUGIN [ROOT]: ROOT is the root folder of another system, for tools/release --check.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

SINGLE_FILE, PLAIN, PLUGIN, *ROOT = map(pathlib.Path, sys.argv[1:5])
MAX_BYTES = 60_000_000
UNREADABLE = 3
NOBODY = 65534
# A user that is not root needs a user namespace for chroot.
CHANGE_ROOT = ["chroot"] if os.geteuid() == 0 else ["unshare", "--map-root-user", "chroot"]


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=100, **options)


class EmptyRoot(unittest.TestCase):
    """The file alone in a root folder: no libraries, no /proc, no /dev, no /tmp."""

    @classmethod
    def setUpClass(cls):
        if run([*CHANGE_ROOT, "/", "true"]).returncode != 0:
            raise unittest.SkipTest("chroot is not permitted here")
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.root = ROOT[0] if ROOT else pathlib.Path(holder.name)
        cls.root.chmod(0o755)
        cls.before = cls.names()
        shutil.copy(SINGLE_FILE, cls.root / "et-inspect")
        shutil.copy(PLUGIN, cls.root / "plugin.so")
        made = cls.run_inside("sample", "conv_net", "-o", "/s")
        assert made.returncode == 0, made.stderr

    @classmethod
    def names(cls):
        """What is in the root folder and in its folders for temporary files."""
        folders = [cls.root, *(cls.root / name for name in ("dev", "dev/shm", "root", "run", "tmp", "var/tmp"))]
        return {each for folder in folders if folder.is_dir() for each in folder.iterdir()}

    @classmethod
    def run_inside(cls, *arguments, user=None):
        as_user = [] if user is None else [f"--userspec={user}:{user}"]
        return run([*CHANGE_ROOT, *as_user, str(cls.root), "/et-inspect", *arguments])

    def assert_runs(self, *arguments, contains, user=None):
        result = self.run_inside(*arguments, user=user)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(contains, result.stdout)

    def test_version(self):
        self.assert_runs("--version", "--verbose", contains="XNNPACK")

    def test_verify_in_a_sandbox(self):
        self.assert_runs("verify", "/s/conv_net.bpte", "--sandbox", "on", contains="1 file: 1 pass")

    def test_table_of_a_trace(self):
        self.assert_runs("/s/conv_net.etdp", "/s/conv_net.etrecord", contains="convolution")

    def test_run(self):
        self.assert_runs("run", "/s/conv_net.pte", contains="outputs (1)")

    def test_plugin(self):
        """It links libraries that only the single file has."""
        self.assert_runs("run", "/s/conv_net.pte", "--plugin", "/plugin.so", contains="outputs (1)")

    def test_verify_starts_itself(self):
        self.assert_runs("verify", "/s/conv_net.bpte", contains="1 file: 1 pass")

    def test_gap(self):
        self.assert_runs("gap", "/s/conv_net.bpte", "/s/conv_net.etrecord", "--bisect", contains="no operator diverges")

    def test_layout_of_a_graph(self):
        self.assert_runs("graph", "/s/conv_net.pte", "-o", "/g.svg", contains="")
        self.assertIn("<svg", (self.root / "g.svg").read_text())

    def test_report(self):
        self.assert_runs("report", "/s/conv_net.pte", "-o", "/r.html", contains="")
        self.assertIn("<html", (self.root / "r.html").read_text())

    @unittest.skipUnless(os.geteuid() == 0, "only root can become another user")
    def test_another_user_without_a_writable_folder(self):
        self.assert_runs("verify", "/s/conv_net.bpte", contains="1 file: 1 pass", user=NOBODY)

    def test_nothing_is_left(self):
        written = {self.root / name for name in ("et-inspect", "plugin.so", "s", "g.svg", "r.html")}
        self.assertEqual(self.names() - self.before - written, set())


class Damage(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.file = pathlib.Path(holder.name) / "et-inspect"
        self.whole = SINGLE_FILE.read_bytes()

    def assert_refused(self, content, message):
        self.file.write_bytes(content)
        self.file.chmod(0o755)
        result = run([str(self.file), "--version"])
        self.assertEqual((result.returncode, result.stdout), (UNREADABLE, ""), result.stderr)
        self.assertIn(message, result.stderr)
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def flipped(self, at):
        content = bytearray(self.whole)
        content[at] ^= 1
        return content

    def test_cut_short(self):
        for size in (2_000_000, len(self.whole) // 2, len(self.whole) - 1):
            self.assert_refused(self.whole[:size], "this file is damaged at offset ")

    def test_one_bit_of_a_carried_file(self):
        self.assert_refused(self.flipped(self.whole.index(b"GNU C Library")), "the checksum of libc.so.6, ")

    def test_one_bit_of_the_table(self):
        self.assert_refused(self.flipped(len(self.whole) - 100), "the checksum of the table is not ")

    def test_one_bit_of_the_trailer(self):
        for back in (1, 10, 30, 55):
            self.assert_refused(self.flipped(len(self.whole) - back), "the checksum of the trailer is not ")

    def test_text_appended(self):
        self.assert_refused(self.whole + b"x", "this file is damaged at offset ")


class File(unittest.TestCase):
    def test_asks_the_host_for_nothing(self):
        said = run(["readelf", "-lWd", str(SINGLE_FILE)], check=True).stdout
        self.assertNotIn("INTERP", said)
        self.assertNotIn("NEEDED", said)

    def test_size(self):
        self.assertLessEqual(SINGLE_FILE.stat().st_size, MAX_BYTES)

    def test_environment_of_the_host_is_no_obstacle(self):
        host = {"LD_PRELOAD": "/nowhere.so", "LD_LIBRARY_PATH": "/lib/x86_64-linux-gnu:/lib64", "HOME": "/nowhere"}
        result = run([str(SINGLE_FILE), "--version"], env=host)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_carries_the_agent_for_devices(self):
        with tempfile.TemporaryDirectory() as home:
            surroundings = {"HOME": home, "XDG_CONFIG_HOME": f"{home}/config", "PATH": os.environ["PATH"]}
            run([str(SINGLE_FILE), "target", "add", "here", "local:"], env=surroundings, check=True)
            result = run([str(SINGLE_FILE), "target", "test", "here"], env=surroundings)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("x86_64" if SINGLE_FILE.name.endswith("x86_64") else "aarch64", result.stdout)

    def test_time_of_a_start(self):
        """Prints the cost of starting from memory; it is not asserted, because it depends on the machine."""
        for program in (PLAIN, SINGLE_FILE):
            best = min(self.seconds(program) for _ in range(5))
            print(f"{program.name} --version: {1000 * best:.1f} ms")

    def seconds(self, program):
        start = time.perf_counter()
        run([str(program), "--version"], check=True)
        return time.perf_counter() - start


unittest.main(argv=sys.argv[:1])
