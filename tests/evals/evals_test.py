#!/usr/bin/env python3
"""evals_test.py ET_INSPECT [--only NAME] [--verbose]: follows the guides of integrations/skills in 40 cases with planted causes.

A case passes if its guide reaches the planted cause in at most 5 calls, and if the files support every number of the answers: the
command of each answer prints the same number at the same place."""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time

from cases import all_cases
from mcp_client import Client
from planting import Workshop

MOST_CALLS = 5


class CountingClient(Client):
    """Remembers the answers."""

    answers = ()

    def call(self, tool, **arguments):
        answer = super().call(tool, **arguments)
        self.answers = [*self.answers, answer]
        return answer


def numbers(value, path=()):
    """Path without positions, and number, of each number in a document."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from numbers(member, (*path, name))
    elif isinstance(value, list):
        for member in value:
            yield from numbers(member, path)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


class Evaluation:
    def __init__(self, program, folder):
        self.program = program
        self.documents = {}
        self.client = CountingClient(program, "--root", folder)

    def unsupported(self, answer):
        """Numbers that the command of an answer does not print."""
        command = shlex.split(answer["command"])
        assert command[0] == "et-inspect"
        if "-" in command:
            return []  # a log on stdin
        key = answer["command"]
        if key not in self.documents:
            printed = subprocess.run([self.program, *command[1:]], capture_output=True, text=True).stdout
            document = json.loads(printed)
            # info describes one file as an object, several as a list.
            if command[1] == "info":
                document = {"files": document if isinstance(document, list) else [document]}
            self.documents[key] = set(numbers(document))
        return [each for each in numbers(answer["result"]) if each not in self.documents[key]]

    def run(self, case):
        """Faults of a case."""
        self.client.answers = ()
        claim = case["guide"](self.client, **case["files"])
        faults = [f"{name}: expected {value!r}, got {claim.get(name)!r}" for name, value in case["expected"].items() if claim.get(name) != value]
        if len(self.client.answers) > MOST_CALLS:
            faults.append(f"{len(self.client.answers)} calls")
        for answer in self.client.answers:
            for each in answer["answers"]:
                faults += [f"no file supports {number}" for number in self.unsupported(each)] if "result" in each else []
        return faults


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--only", default="")
    options.add_argument("--verbose", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = all_cases(Workshop(given.program, folder))
        assert len(cases) == 40 and len({each["name"] for each in cases}) == 40, len(cases)
        evaluation = Evaluation(given.program, folder)
        failed = 0
        for case in cases:
            if given.only not in case["name"]:
                continue
            start = time.monotonic()
            faults = evaluation.run(case)
            failed += bool(faults)
            if faults or given.verbose:
                calls = len(evaluation.client.answers)
                print(f"{'FAIL' if faults else 'ok'} {case['name']}: {calls} calls, {time.monotonic() - start:.2f} s", *faults[:5], sep="\n  ")
        assert evaluation.client.close() == 0
    print(f"{failed} of {len(cases)} cases failed" if failed else "all cases passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
