"""Runs Debian's adbd and adb in a network namespace with only a loopback, because adbd listens on all addresses."""

import os
import shutil
import subprocess
import sys
import time
import unittest

from devices import DATA, DeviceTest, free_port

INSIDE = "ET_ADB_NETWORK"


def loopback_up():
    """Brings up the loopback interface of a new network namespace."""
    import fcntl
    import socket
    import struct

    get_flags, set_flags, up = 0x8913, 0x8914, 0x1
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, get_flags, request))[1]
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", flags | up))


class AdbTest(DeviceTest):
    def setUp(self):
        super().setUp()
        self.daemon = shutil.which("adbd") or "/usr/sbin/adbd"
        if not (os.path.exists(self.daemon) and shutil.which("adb")):
            self.skipTest("no adb and adbd here")
        loopback_up()
        port = free_port()
        self.environment["ANDROID_ADB_SERVER_PORT"] = str(free_port())
        process = subprocess.Popen([self.daemon], env=dict(self.environment, ADBD_PORT=str(port)),
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(self.adb, "kill-server")
        self.serial = f"127.0.0.1:{port}"
        for _ in range(50):
            if "connected" in self.adb("connect", self.serial) and "device" in self.adb("-s", self.serial, "get-state"):
                break
            time.sleep(0.1)
        self.add_target("phone", f"adb:{self.serial}")

    def adb(self, *arguments):
        done = subprocess.run(["adb", *arguments], env=self.environment, capture_output=True, text=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        return done.stdout

    def test_a_run_is_as_here(self):
        self.assert_as_here("phone")
        self.assert_clean()

    def test_a_phone_that_is_not_there_is_one_error_line(self):
        said = self.run_inspect("run", DATA / "add" / "xnnpack.bpte", "--on", "adb:nosuchphone", code=3)
        self.assertIn("not found", said.stderr)
        self.assertEqual(said.stderr.count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
elif INSIDE not in os.environ:
    # Runs this file again in a new network namespace.
    command = ["unshare", "--map-root-user", "--net", sys.executable, "-m", "unittest", "-v", "test_adb"]
    tried = subprocess.run(command[:3] + ["true"], capture_output=True)

    class AdbTest(unittest.TestCase):  # noqa: F811
        @unittest.skipIf(tried.returncode != 0, "no network of its own can be made here")
        def test_in_a_network_of_its_own(self):
            done = subprocess.run(command, env=dict(os.environ, **{INSIDE: "1"}), capture_output=True, text=True)
            print(done.stderr)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
