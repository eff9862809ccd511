"""Runs the agent over a pipe on this machine: every command behaves as in a local run."""

import json
import math
import os
import pathlib
import shutil
import struct
import sys
import time
import unittest

from devices import DATA, ET_INSPECT, DeviceTest, executions, kill_transfers

RUNNER = pathlib.Path(__file__).with_name("executor_runner.py")


def float32(number):
    try:
        return struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return math.inf


def first_nan_of_counter():
    """Returns the first run with NaN: the counter's state doubles per run, and its output is -inf plus state times count."""
    state, count = 0.0, 0
    while not math.isinf(float32(state * count)):
        state, count = float32(float32(state * 2) + 0.5), count + 1
    return count + 1


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
        either = json.loads(self.run_inspect(*run, "--keep-if", "time > 10s or (instructions > 0 and not nan(out0))").stdout)
        self.assertEqual(either["device"]["kept"], 20)
        self.assertIn("--keep-if", self.run_inspect(*run, "--keep-if", "slow", code=2).stderr)

    def test_only_runs_with_nan_are_told_of(self):
        """The model's outputs become NaN only after a hundred runs."""
        model, trace, log = DATA / "counter" / "portable.pte", self.folder / "t.etdp", self.folder / "log.jsonl"
        first, runs = first_nan_of_counter(), 140
        self.assertTrue(100 < first < runs)
        said = self.run_inspect("run", model, "--input=-inf", "--on", "here", "--iterations", runs, "--etdump", trace,
                                "--device-log", log, "--keep-if", "nan", "--keep-last", 3, "--format", "json")
        kept = [line["run"] for line in map(json.loads, log.read_text().splitlines()) if line["kept"]]
        self.assertEqual(kept, list(range(first, runs + 1)))
        self.assertEqual(json.loads(said.stdout)["device"]["kept"], len(kept))
        self.assertEqual(executions(trace), len(kept) + 3)

    def test_nan_is_found_in_halves_as_well(self):
        for dtype in ("float16", "bfloat16"):
            for value, kept in (("nan", 4), ("ones", 0)):
                said = self.run_inspect("run", DATA / "mlp_half" / f"{dtype}_portable.pte", "--input", value, "--on", "here",
                                        "--iterations", 4, "--etdump", self.folder / "t.etdp", "--keep-if", "nan", "--format",
                                        "json")
                self.assertEqual(json.loads(said.stdout)["device"]["kept"], kept, f"{dtype}, {value}")

    def test_progress_tells_the_times_and_the_device(self):
        model = DATA / "add" / "xnnpack.bpte"
        for place, has_core in ((["--on", "here"], True), ([], False)):
            said = self.run_inspect("run", model, "--iterations", 50, "--warmup", 5, "--progress", "json", *place)
            lines = [json.loads(line) for line in said.stderr.splitlines()]
            times = [line["times"] for line in lines if "times" in line]
            self.assertEqual(sum(each["executions"] for each in times), 55)
            for each in times:
                self.assertTrue(0 < each["min_ns"] <= each["avg_ns"] <= each["max_ns"], each)
                self.assertTrue(each["min_ns"] <= each["last_ns"] <= each["max_ns"], each)
            devices = [line["device"] for line in lines if "device" in line]
            self.assertTrue(devices and all(each["available_bytes"] > 0 for each in devices))
            self.assertEqual(any("core" in each for each in devices), has_core)

    def test_a_device_that_does_not_answer_is_given_up_in_time(self):
        """A retry would take 12 s."""
        self.add_target("dead", "local:", "--agent", shutil.which("false"))
        start = time.monotonic()
        said = self.run_inspect("run", DATA / "add" / "xnnpack.bpte", "--on", "dead", "--timeout", 1, code=4)
        self.assertEqual(said.stderr, "et-inspect: the time limit of --timeout was reached before the first execution\n")
        self.assertLess(time.monotonic() - start, 5)

    def add_runner(self, name, options, traces=True):
        """Uses a target with the documented commands for ExecuTorch's executor_runner."""
        device = self.folder / "board"
        device.mkdir(exist_ok=True)
        runner = f"ET_RUNNER_TRACES={int(traces)} ET_INSPECT={ET_INSPECT} {sys.executable} {RUNNER}"
        self.run_inspect("target", "add", name, "command:", "--folder", device, "--push", "cp {from} {to}", "--run",
                         f"{runner} --model_path {{model}} --inputs {{inputs}} {options}", "--pull", "cp {from} {to}")

    def test_executor_runner_runs_models(self):
        self.add_runner("board", "--output_file {outputs} --print_output none --etdump_path {etdump}")
        model, trace = DATA / "mobilenet_v2_small" / "xnnpack.bpte", self.folder / "t.etdp"
        outputs = [json.loads(self.run_inspect("run", model, "--iterations", 2, "--format", "json", *place).stdout)["outputs"]
                   for place in (["--on", "board", "--etdump", trace], [])]
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(executions(trace), 2)
        self.run_inspect("verify", model, "--on", "board")

    def test_executor_runner_without_a_tracer_says_its_times(self):
        self.add_runner("plain", "--output_file {outputs}", traces=False)
        model = DATA / "mobilenet_v2_small" / "xnnpack.bpte"
        times = json.loads(self.run_inspect("bench", model, "--on", "plain", "--iterations", 2, "--format", "json").stdout)
        self.assertGreater(times["models"][0]["time_ms"]["min"], 0)
        self.run_inspect("verify", model, "--on", "plain")
        # The runner's message about an unknown flag is passed through.
        self.add_runner("wrong", "--output_file {outputs} --etdump_path {etdump}", traces=False)
        self.assertIn("unknown command line flag 'etdump_path'", self.run_inspect("run", model, "--on", "wrong", code=3).stderr)
        # A runner that prints no times yields none.
        self.add_runner("silent", "--output_file {outputs} 2>/dev/null", traces=False)
        self.assertIn("does not print its run time", self.run_inspect("run", model, "--on", "silent", code=3).stderr)

    def test_commands_run_models_as_well(self):
        """Uses et-inspect as a vendor's runner, with names that contain shell metacharacters."""
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
        # The process has this name once the agent is loaded; before that, there is no transfer to kill.
        kill_transfers(self, "here", {"et-agent"}, int(os.environ.get("ET_KILLS", "6")), 40, pause=0.15)
        self.assert_clean()


if __name__ == "__main__":
    unittest.main()
