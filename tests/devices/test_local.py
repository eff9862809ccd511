"""The agent over a pipe on this machine: every verb goes on as if it ran here."""

import json
import os
import unittest

from devices import DATA, ET_INSPECT, DeviceTest, executions, kill_transfers


class LocalTest(DeviceTest):
    def setUp(self):
        super().setUp()
        self.add_target("here", "local:")

    def test_targets_are_kept(self):
        listed = json.loads(self.run_inspect("target", "list", "--format", "json").stdout)["targets"]
        self.assertEqual([(each["name"], each["address"]) for each in listed], [("here", "local:")])
        self.assertIn("--force", self.run_inspect("target", "add", "here", "local:", code=2).stderr)
        self.run_inspect("target", "remove", "here")
        self.assertIn("no target", self.run_inspect("run", DATA / "add" / "xnnpack.pte", "--on", "here", code=2).stderr)

    def test_the_agent_and_the_model_go_once(self):
        first = json.loads(self.run_inspect("target", "test", "here", "--format", "json").stdout)
        again = json.loads(self.run_inspect("target", "test", "here", "--format", "json").stdout)
        self.assertGreater(first["sent_bytes"], 1_000_000)
        self.assertLessEqual(first["sent_bytes"], 12_000_000)
        self.assertEqual(again["sent_bytes"], 0)
        self.assert_clean()

    def test_a_run_is_as_here(self):
        self.assert_as_here("here")
        self.assert_clean()

    def test_every_verb_goes_on_as_if_it_ran_here(self):
        small = DATA / "mobilenet_v2_small"
        self.run_inspect("bench", small / "xnnpack.bpte", "--on", "here", "--iterations", 3)
        self.run_inspect("verify", *sorted(DATA.glob("*/*.bpte"))[:12], "--on", "here")
        self.run_inspect("compare", small / "xnnpack.bpte", small / "xnnpack.bpte", "--on", "here", "--launches", 2,
                         "--iterations", 3)
        self.run_inspect("soak", small / "xnnpack.bpte", "--on", "here", "--runs", 10)
        gaps = [json.loads(self.run_inspect("gap", small / "xnnpack.bpte", small / "xnnpack.etrecord", "--format", "json",
                                            *place).stdout) for place in (["--on", "here"], [])]
        self.assertEqual(gaps[0], gaps[1])
        self.assert_clean()

    def test_state_stays_on_the_device_from_run_to_run(self):
        self.run_inspect("verify", DATA / "kvcache" / "xnnpack.bpte", DATA / "counter" / "portable.bpte", "--on", "here")

    def test_only_slow_runs_are_told_of(self):
        model, trace, log = DATA / "add" / "xnnpack.bpte", self.folder / "t.etdp", self.folder / "log.jsonl"
        run = ("run", model, "--on", "here", "--iterations", 20, "--etdump", trace, "--device-log", log, "--format",
               "json", "--keep-last", 3)
        none = json.loads(self.run_inspect(*run, "--keep-if", "time>10s").stdout)
        self.assertEqual((none["device"]["executions"], none["device"]["kept"], executions(trace)), (20, 0, 0))
        lines = [json.loads(line) for line in log.read_text().splitlines()]
        self.assertEqual(len(lines), 20)
        self.assertTrue(all("core" in line["before"] and line["nanoseconds"] > 0 for line in lines))
        every = json.loads(self.run_inspect(*run, "--keep-if", "time>0ns").stdout)
        self.assertEqual((every["device"]["kept"], executions(trace)), (20, 20))
        self.assertIn("--keep-if", self.run_inspect(*run, "--keep-if", "slow", code=2).stderr)

    def test_commands_run_models_as_well(self):
        """With et-inspect itself as the runner of a vendor, and names that a shell would take for more."""
        device = self.folder / "it's a $(device)"
        device.mkdir()
        runner = (f"{ET_INSPECT} run {{model}} --input={{inputs}} --etdump={{etdump}} --debug-buffer={{debug}} "
                  "--debug-level intermediates")
        self.run_inspect("target", "add", "vendor", "command:", "--folder", device, "--push", "cp {from} {to}", "--run",
                         runner, "--pull", "cp {from} {to}")
        self.assert_as_here("vendor")
        self.run_inspect("verify", DATA / "mobilenet_v2_small" / "xnnpack.bpte", "--on", "vendor")
        self.run_inspect("target", "add", "broken", "command:", "--run", "echo no such board >&2; exit 7")
        said = self.run_inspect("run", DATA / "add" / "xnnpack.bpte", "--on", "broken", code=3)
        self.assertIn("exit code 7: no such board", said.stderr)

    def test_killed_agents_lose_no_finished_run(self):
        # The agent has this name once it is loaded: before, there is no transfer to kill.
        kill_transfers(self, "here", {"et-agent"}, int(os.environ.get("ET_KILLS", "6")), 40, pause=0.7)
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
