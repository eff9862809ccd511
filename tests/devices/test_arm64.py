"""Runs the arm64 agent under QEMU; the agent is selected by the output of `uname -m`."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from devices import DATA, ET_INSPECT, DeviceTest, executions

AGENT = pathlib.Path(os.environ.get("ET_AGENT_ARM64", ""))
QEMU = shutil.which("qemu-aarch64", path=f"{os.environ.get('ET_ARM64_ROOT', '')}/usr/bin:{os.environ['PATH']}")
# Runs every n-th single-operator case; 1: all.
STRIDE = int(os.environ.get("ET_STRIDE", "100"))

# Registers arm64 programs with binfmt_misc in a separate mount and user namespace (since Linux 6.7), invisible outside.
# The magic number is from the kernel's documentation of binfmt-misc.
ENTER = r"""mount -t binfmt_misc binfmt_misc "$1" &&
printf '%s' ':arm64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00:'\
'\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff:'"$2"':' > "$1/register" &&
shift 2 && exec "$@" """


class Arm64Test(DeviceTest):
    def setUp(self):
        super().setUp()
        if not AGENT.is_file():
            self.skipTest("no agent for arm64: tools/build arm64 et-agent")
        if QEMU is None:
            self.skipTest("no qemu-aarch64")
        # An installed layout with both agents, and a uname that reports arm64.
        commands, agents, system = (self.folder / each for each in ("bin", "libexec/et-inspect", "system"))
        for each in (commands, agents, system, self.folder / "binfmt"):
            each.mkdir(parents=True)
        self.inspect = shutil.copy(ET_INSPECT, commands / "et-inspect")
        shutil.copy(os.environ["ET_INSPECT_AGENT"], agents / "et-agent")
        shutil.copy(AGENT, agents / "et-agent-arm64")
        (system / "uname").write_text("#!/bin/sh\necho aarch64\n")
        (system / "uname").chmod(0o755)
        for each in ("ET_INSPECT_AGENT", "ET_INSPECT_AGENT_ARM64"):
            self.environment.pop(each, None)
        self.environment.update(PATH=f"{system}:{os.environ['PATH']}", QEMU_CPU="max")
        said = subprocess.run(self.entered("true"), capture_output=True, text=True)
        if said.returncode != 0:
            self.skipTest(f"no namespace for programs of arm64: {said.stderr[-200:]}")
        self.add_target("phone", "local:")

    def entered(self, *command):
        return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", ENTER, "sh", self.folder / "binfmt", QEMU,
                *map(str, command)]

    def inspect_command(self, *arguments):
        return self.entered(self.inspect, *arguments)

    def test_the_agent_for_the_processor_goes_there(self):
        said = json.loads(self.run_inspect("target", "test", "phone", "--format", "json").stdout)
        self.assertEqual(said["machine"], "aarch64")
        self.assertEqual(said["sent_bytes"], AGENT.stat().st_size)
        self.assertLessEqual(said["sent_bytes"], 12_000_000)
        self.assert_clean()

    def test_a_run_is_as_here_within_its_tolerance(self):
        for name in ("portable", "xnnpack"):
            outputs = []
            for place in (["--on", "phone"], []):
                trace = self.folder / "t.etdp"
                said = self.run_inspect("run", DATA / "mobilenet_v2_small" / f"{name}.bpte", "--iterations", 2, "--etdump",
                                        trace, "--format", "json", *place)
                self.assertEqual(executions(trace), 2)
                outputs.append(json.loads(said.stdout)["outputs"][0])
            for there, here in zip(outputs[0]["first"], outputs[1]["first"], strict=True):
                self.assertAlmostEqual(there, here, delta=1e-5)
        self.assert_clean()

    def test_a_sample_of_operators_and_programs_passes(self):
        cases = []
        for folder in (DATA.parent / "ops" / "portable", DATA.parent / "ops" / "xnnpack"):
            cases += sorted(folder.glob("*.bpte"))[::STRIDE]
        cases += sorted((DATA / "mlp_8da4w").glob("*.bpte"))
        self.assertGreater(len(cases), 3000 // STRIDE)
        for at in range(0, len(cases), 200):
            self.run_inspect("verify", *cases[at : at + 200], "--on", "phone")
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
