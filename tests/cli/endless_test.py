#!/usr/bin/env python3
"""endless_test.py ET_INSPECT [COMMAND...]: gives an endless stream to every option and argument of et-inspect that takes a file, as a
device and as a pipe. Checks that it is rejected in one line, with a usage or file error, in bounded memory.

Files of the rows in command_rows.py are replaced one by one; the other file options are added to a row of their command."""

import concurrent.futures
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

from command_rows import MODEL, PREPARATION, ROWS, SMALL, described

STREAMS = ("/dev/zero", "/dev/stdin")  # stdin is a pipe from cat /dev/zero
MOST_RESIDENT = 1 << 30  # bytes
MOST_VIRTUAL = 16 << 30  # bytes; threads and mapped files reserve more than they use

# Input files whose options et-inspect does not describe as such.
MORE_OPTIONS = {
    "sql": ["--file"],
    "run": ["--input", "--etrecord"],
    "bundle": ["--expected"],
}

# Rows in which an option is read.
EMULATED = "$S/lowered.bpte --backend-off XnnpackBackend"
ROW_OF = {
    ("events", "--machine"): f"{MODEL}.etdp --program {MODEL}.pte --columns name,efficiency",
    ("probe", "--plugin"): f"{SMALL}.pte {SMALL}.etrecord -o probes --max-probes 5 --run",
    ("delegates", "--plugin"): f"--measure {SMALL}.pte --etrecord {SMALL}.etrecord",
    ("run", "--etrecord"): EMULATED,
    ("bench", "--etrecord"): EMULATED,
    ("counters", "--etrecord"): EMULATED,
    ("verify", "--etrecord"): f"{EMULATED} -j 1",
    ("verify", "--tokenizer"): "--llm $S/llama.pte",
    ("machine", "--import"): "--format json",
    ("gap", "--debug-buffer"): f"{MODEL}.etrecord --etdump {MODEL}.etdp",
    ("soak", "--debug-buffer"): f"{MODEL}.etdp",
    ("bundle", "--expected"): f"{MODEL}.pte --input random -o out.bpte",
    ("lower", "--etrecord"): f"{SMALL}.pte -o out.pte",
    ("lower", "--data"): f"{SMALL}.pte -o out.pte",
    ("generate", "--image"): "$S/vlm.pte --vision-encoder $S/vlm_vision.pte --tokenizer $S/vlm_tokenizer.bin --prompt 'a <image>'",
    ("generate", "--audio"): "$S/whisper.pte --tokenizer $S/whisper_tokenizer.bin --prompt a",
}
# Read only for programs that need it.
UNREAD = {("fit", "--data"), ("fit", "--etrecord")}
# Commands whose results include files that cannot be read: exit codes, and whether stderr has a line.
RESULTS = {"verify": ((3,), False), "import": ((5,), True)}


def variants(command, description):
    """Command lines in which {} is the stream."""
    lines = []
    for row in ROWS[command]:
        row = row.lstrip("=~")
        files = list(re.finditer(r"\$S/\S+", row))
        lines += [row[: each.start()] + "{}" + row[each.end() :] for each in files]
    used = " ".join(ROWS[command]).split()
    options = [each["name"] for each in description["options"] if each["kind"] == "file" and each["name"].startswith("-")]
    for option in options + MORE_OPTIONS.get(command, []):
        if option not in used and (command, option) not in UNREAD:
            row = ROW_OF.get((command, option), ROWS[command][0]).lstrip("=~")
            lines.append(f"{row} {option} {{}}")
    name = "" if command == "events" else command
    return [f"{name} {line}".strip() for line in lines]


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MOST_VIRTUAL, MOST_VIRTUAL))


def run(line, environment, folder):
    """Exit code, stderr and peak resident bytes."""
    with subprocess.Popen(["cat", "/dev/zero"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as source:
        with tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                f"exec et-inspect {line}", shell=True, cwd=folder, env=environment, preexec_fn=limit_memory,
                stdin=source.stdout, stdout=subprocess.DEVNULL, stderr=err,
            )  # fmt: skip
            source.stdout.close()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            err.seek(0)
            text = err.read().decode(errors="replace")
        source.kill()
    return process.returncode, text, usage.ru_maxrss * 1024


def check(line, stream, environment, folder):
    line = line.replace("{}", stream)
    folder.mkdir()
    code, err, resident = run(line, environment, folder)
    shown = f"{line}: exit code {code}, {resident >> 20} MiB: {err[-400:]}"
    complaints = [each for each in err.splitlines() if not each.startswith("et-inspect: warning")]
    codes, complains = RESULTS.get(line.split()[0], ((2, 3), True))
    is_named = not complains or (len(complaints) == 1 and (stream in err or "stdin" in err))
    return [] if code in (*codes, 2) and is_named and resident <= MOST_RESIDENT else [shown]


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    only = sys.argv[2:]
    faults = []
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        root = pathlib.Path(scratch)
        samples = root / "samples"
        samples.mkdir()
        environment = {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "S": str(samples), "LC_ALL": "C.UTF-8",
                       "HOME": scratch, "XDG_CACHE_HOME": scratch, "XDG_DATA_HOME": scratch}  # fmt: skip
        environment.pop("ET_INSPECT_STORE", None)
        made = subprocess.run(PREPARATION, shell=True, cwd=samples, env=environment, capture_output=True, text=True)
        if made.returncode != 0:
            raise SystemExit(f"preparation failed: {made.stderr}")
        jobs = []
        for command, description in described(program).items():
            for line in variants(command, description) if not only or command in only else []:
                for stream in STREAMS:
                    jobs.append(pool.submit(check, line, stream, environment, root / f"job{len(jobs)}"))
        for job in jobs:
            faults += job.result()
        print(f"{len(jobs)} command lines")
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
