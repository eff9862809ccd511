"""Runs a real sshd on a loopback port, with temporary keys."""

import json
import os
import pwd
import shutil
import unittest

from devices import DATA, DeviceTest, Sshd, kill_transfers


class SshTest(DeviceTest):
    def setUp(self):
        super().setUp()
        if not (os.path.exists("/usr/sbin/sshd") and shutil.which("ssh")):
            self.skipTest("no openssh here")
        try:
            pwd.getpwuid(os.getuid())
        except KeyError:
            self.skipTest("ssh needs a user with a name")
        self.server = Sshd(self.folder)
        self.addCleanup(self.server.stop)
        self.address = f"ssh://{self.server.user}@127.0.0.1:{self.server.port}"
        self.add_target("board", self.address, "--ssh-config", self.folder / "ssh_config")

    def test_a_run_is_as_here(self):
        first = json.loads(self.run_inspect("target", "test", "board", "--format", "json").stdout)
        self.assertGreater(first["sent_bytes"], 1_000_000)
        self.assert_as_here("board")
        self.assert_clean()

    def test_names_are_quoted(self):
        self.device = self.folder / "it's $(touch broken) & more"
        self.run_inspect("target", "add", "odd", self.address, "--ssh-config", self.folder / "ssh_config", "--folder",
                         self.device)
        self.run_inspect("run", DATA / "add" / "xnnpack.bpte", "--on", "odd")
        self.assert_clean()
        self.assertFalse(list(self.folder.rglob("broken")))

    def test_an_unknown_host_key_is_refused_whatever_the_configuration_says(self):
        self.server.know("stranger")
        said = self.run_inspect("run", DATA / "add" / "xnnpack.bpte", "--on", "board", code=3)
        self.assertIn("key", said.stderr.lower())
        self.assertFalse(self.device.exists())

    def test_a_key_that_is_not_authorized_is_one_error_line(self):
        (self.folder / "authorized").write_text("")
        said = self.run_inspect("run", DATA / "add" / "xnnpack.bpte", "--on", "board", code=3)
        self.assertIn("Permission denied", said.stderr)
        self.assertEqual(said.stderr.count("\n"), 1)

    def test_killed_connections_lose_no_finished_run(self):
        self.run_inspect("target", "test", "board")
        kill_transfers(self, "board", {"ssh"}, int(os.environ.get("ET_KILLS", "8")), 40, pause=0.5)
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
