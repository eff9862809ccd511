#!/usr/bin/env python3
"""ci_jobs_test.py FOLDER ET_INSPECT: github.yml and gitlab.yml are YAML of the form that GitHub and GitLab accept, their
commands are shell, and et-inspect has the commands and options that they use."""

import re
import shlex
import subprocess
import sys

import yaml


def github_commands(workflow):
    assert True in workflow or "on" in workflow, "no trigger"  # YAML 1.1 takes `on` for true
    for name, job in workflow["jobs"].items():
        assert job["runs-on"], f"{name}: no runner"
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step), f"{name}: a step either runs or uses: {step}"
            if "uses" in step:
                assert re.fullmatch(r"[\w-]+/[\w-]+@v\d+", step["uses"]), step["uses"]
            else:
                yield step["run"]


def gitlab_commands(pipeline):
    stages = pipeline["stages"]
    for name, job in pipeline.items():
        if name == "stages":
            continue
        assert job["stage"] in stages, f"{name}: unknown stage"
        for command in job["script"]:
            assert isinstance(command, str), f"{name}: no command: {command}"
            yield command


def check_command(command, program):
    subprocess.run(["sh", "-n", "-c", command], check=True)
    count = 0
    for line in command.replace("\\\n", " ").splitlines():
        words = shlex.split(line)
        if not words or words[0] != "et-inspect":
            continue
        help_text = subprocess.run([program, words[1], "--help"], check=True, capture_output=True, text=True).stdout
        assert f"et-inspect {words[1]}" in help_text, f"no command {words[1]}"
        for word in words[2:]:
            if word.startswith("--"):
                assert re.search(rf"{re.escape(word)}\b", help_text), f"{words[1]} has no {word}"
        count += 1
    return count


def main(folder, program):
    for name, commands_of in (("github.yml", github_commands), ("gitlab.yml", gitlab_commands)):
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            commands = list(commands_of(yaml.safe_load(file)))
        used = sum(check_command(command, program) for command in commands)
        assert used >= 4, f"{name}: expected run, import, report and trend, got {used} commands"


main(*sys.argv[1:])
