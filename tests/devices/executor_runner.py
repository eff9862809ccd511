#!/usr/bin/env python3
"""Emulates the interface of ExecuTorch's executor_runner: exactly its flags, output files and stderr lines.

et-inspect runs the model. ET_RUNNER_TRACES=0 emulates a runner built without the event tracer, which has no --etdump_path.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

TRACES = os.environ.get("ET_RUNNER_TRACES", "1") != "0"
FLAGS = {"model_path": "model.pte", "data_path": "", "inputs": "", "input_shapes": "", "output_file": "", "print_output": "summary",
         "num_executions": "1", "method_name": "", "cpu_threads": "-1", **({"etdump_path": "model.etdump"} if TRACES else {})}


def log(text):
    print(f"I 00:00:00.000123 executorch:executor_runner.cpp:512] {text}", file=sys.stderr)


def parse(arguments):
    """Parses flags like gflags: one or two dashes, the value after '=' or as the next argument."""
    flags = dict(FLAGS)
    while arguments:
        name, equals, value = arguments.pop(0).lstrip("-").partition("=")
        if name not in flags:
            sys.exit(f"ERROR: unknown command line flag '{name}'")
        flags[name] = value if equals else arguments.pop(0)
    return flags


def raw(npy):
    """Returns the elements of a .npy file, without the header."""
    content = npy.read_bytes()
    return content[10 + int.from_bytes(content[8:10], "little"):]


def main():
    flags = parse(sys.argv[1:])
    with tempfile.TemporaryDirectory() as folder:
        command = [os.environ["ET_INSPECT"], "run", flags["model_path"], "--iterations", flags["num_executions"], "--format", "json",
                   "-o", folder, *(f"--input={each}" for each in flags["inputs"].split(",") if each)]
        if TRACES:
            command.append(f"--etdump={flags['etdump_path']}")
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            log(f"Execution of method forward failed with status 0x12: {done.stderr}")
            sys.exit(-6 % 256)
        log("Model file " + flags["model_path"] + " is loaded.")
        log("Using method forward")
        times = json.loads(done.stdout)["time_ms"]
        log(f"Model loaded in {times['load']:f} ms.")
        for i in range(int(flags["num_executions"])):
            log(f"Iteration {i + 1} of {flags['num_executions']}: {times['p50']:f} ms")
        log(f"Model executed successfully {flags['num_executions']} time(s) in {times['avg'] * int(flags['num_executions']):f} ms.")
        if flags["output_file"]:
            for npy in sorted(pathlib.Path(folder).glob("output_*.npy")):
                path = pathlib.Path(f"{flags['output_file']}-{int(npy.stem.split('_')[1])}.bin")
                log(f"Writing output to file: {path}")
                path.write_bytes(raw(npy))
        if flags["print_output"] != "none":
            print("OutputX 0: tensor(...)")


main()
