#!/usr/bin/env python3
"""terminal_test.py ET_INSPECT [COMMAND...]: runs every command of et-inspect in every --format, on files with names that would
move the cursor, ring the bell or change the title of a terminal, in a folder with such a name. Checks that no control
character reaches the terminals at stdout and stderr.

The rows are those of command_rows.py and the ones below. Each runs on programs whose methods have such names, which can run;
rows of commands that only read run also on programs in which operators and backends have them."""

import concurrent.futures
import json
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import threading
import tty
import zipfile

from command_rows import ROWS, SMALL, described, faults_of_rows

TITLE = b"\x1b]0;xy\x07"  # as long as "forward"
EVENTS = {b"forward": TITLE, b"convolution.out": b"conv\x1b[34mon.out", b"_softmax": b"_\x1b[32max"}
COLORS = re.compile(rb"\x1b\[(0|1|2|31|33)m")  # of tables
LONGEST = 120  # seconds of a row on a busy machine

# Commands that do not run the programs of their rows.
READING = ("events", "info", "graph", "tensors", "size", "memory", "delegates", "findings", "sql", "roofline", "diff", "lower",
           "fit", "import", "session", "report", "export", "compare", "replan", "extract", "baseline")  # fmt: skip

OF_ONE_PROGRAM = ("info", "graph", "tensors", "size", "memory", "delegates", "findings", "fit", "run", "bench", "soak")

# Commands that print no name from a file.
NAMELESS = {
    "baseline", "trend", "machine", "growth", "target", "sample", "completions", "mcp", "help", "man", "import", "session", "plugin",
    "explain",  # explain_test has hostile logs
}

# Name of a file. Names of models and baselines must not have control characters.
NAME = r'"$(printf "n\033[32m")"'

MORE_ROWS = {
    "events": [f"{SMALL}.etdp --columns all --width 0", f"{SMALL}.etdp --group-by op"],
    "info": [f"{SMALL}.bpte", "$S/session.db"],
    "delegates": ["--nodes $S/lowered.pte", "$S/lowered.pte"],
    "bundle": [f"{SMALL}.bpte --list"],
    "sql": ["$S/session.db 'SELECT * FROM methods'", f"{SMALL}.pte 'SELECT * FROM instructions'"],
    "diff": [f"{SMALL}.pte {SMALL}.bpte"],
    "trend": ["other --store $S/history.db"],
    "fit": [f"{SMALL}.pte"],
    "replan": [f"{SMALL}.bpte --strip"],
    "size": [f"{SMALL}.pte --by tensor", f"{SMALL}.bpte --by backend"],
    "gap": [f"{SMALL}.etrecord {SMALL}.pte"],
    "lower": [f"{SMALL}.etrecord --dry-run", f"{SMALL}.pte --dry-run"],
    "quantize": [f"{SMALL}.etrecord --calibrate {SMALL}.bpte --remedy all --recipe"],
    "sensitivity": [f"{SMALL}.etrecord --calibrate {SMALL}.bpte --remedies"],
    "optimize": [f"{SMALL}.etrecord --calibrate {SMALL}.bpte --no-times --budget sqnr=60 --recipe"],
    "reduce": [f"{SMALL}.bpte --fails crash -o reduced", f"{SMALL}.bpte --fails 'exit 1 {{}}' -o reduced"],
    "shapes": [f"{SMALL}.pte --no-times --all"],
    "tokenize": [
        "--tokenizer $S/tokenizer.json --text a",
        "--tokenizer $S/words.json --text 'a b' --pieces",
        "--tokenizer $S/words.json --text 0 --decode",
    ],
    "generate": ["$S/llama.pte --tokenizer $S/words.json --prompt a --max-tokens 3"],
    "perplexity": ["$S/llama.pte --tokenizer $S/words.json 'a a'"],
    "verify": ["--llm $S/llama.pte --tokenizer $S/words.json", "--gradients $S/train.pte"],
}

SAMPLES = """
et-inspect sample conv_net && et-inspect sample llama && et-inspect sample train && et-inspect lower conv_net.etrecord -o lowered.pte
"""

PIPELINE = r"""
name = "p\u001b[32m"
outputs = ["out\u001b[34m"]
programs.net = {file = "conv_net.pte", etrecord = "conv_net.etrecord"}
inputs.x = {sizes = [1, 3, 16, 16], fill = "random"}
[[stages]]
name = "stage\u0007"
program = "net"
inputs = ["x"]
outputs = ["out\u001b[34m"]
"""

PREPARATION = f"""
cp conv_net.pte {NAME} &&
et-inspect machine --format json -o machine.json &&
et-inspect generate llama.pte --tokenizer llama_tokenizer.bin --prompt a --max-tokens 8 --etdump generated.etdp &&
et-inspect import conv_net.etdp --store history.db --model name &&
et-inspect session save {NAME} conv_net.etdp conv_net.etrecord -o session.db
"""


def rename_in_record(path):
    """Renames the method, nodes, modules and source files of an ETRecord."""
    with zipfile.ZipFile(path) as old:
        entries = {name: old.read(name) for name in old.namelist() if name != "reference_outputs"}
    with zipfile.ZipFile(path, "w") as new:
        for name, content in entries.items():
            if content.startswith(b"{"):
                for before, after in (
                    (b"forward", TITLE),
                    (b"aten_convolution", b"aten\x1b[7mconvol"),
                    (b"torch.nn.modules", b"torch.nn\x1b[34m"),
                    (b",stem.conv,", b",stem.\x1b[32mconv,"),
                    (b",body.0,", b",body.\x1b[32m0,"),
                    (b".py", b"\x07.py"),
                ):
                    content = content.replace(before, json.dumps(after.decode())[1:-1].encode())
            new.writestr(name.replace("forward", TITLE.decode()), content)


def write_samples(folder, renames):
    """Writes the samples with these names replaced. Names of equal length keep every offset valid."""
    subprocess.run(SAMPLES, shell=True, cwd=folder, check=True, capture_output=True)
    for name in ("conv_net.pte", "conv_net.bpte", "conv_net.etdp", "lowered.pte"):
        content = (folder / name).read_bytes()
        for before, after in EVENTS.items() if name.endswith(".etdp") else renames.items():
            content = content.replace(before, after)
        (folder / name).write_bytes(content)
    training = (folder / "train.pte").read_bytes()
    (folder / "train.pte").write_bytes(training.replace(b"hidden.weight", b"hi\x1b[34mweight"))
    rename_in_record(folder / "conv_net.etrecord")
    for kind in ("pte", "bpte", "etdp", "etrecord"):
        (folder / f"mobilenet_v2_small.{kind}").write_bytes((folder / f"conv_net.{kind}").read_bytes())
    vocabulary = {"type": "WordLevel", "vocab": {TITLE.decode(): 0, "a": 1}, "unk_token": TITLE.decode()}
    (folder / "diffusion.toml").write_text(PIPELINE)
    (folder / "words.json").write_text(json.dumps({"model": vocabulary}))
    (folder / "tokenizer.json").write_text(json.dumps({"model": vocabulary, "decoder": {"type": "\x1b[34mFuse"}}))
    made = subprocess.run(PREPARATION, shell=True, cwd=folder, capture_output=True, text=True)
    if made.returncode != 0:
        raise SystemExit(f"preparation failed: {made.stderr}")


def formats_of(command):
    """The choices of its --format; [None] without one."""
    for option in command["options"]:
        if option["name"] == "--format":
            return option["choices"]
    return [None]


def in_format(row, name):
    """The row with this format, and without the text file that it writes."""
    row = re.sub(r"--format \S+", "", row.lstrip("=~"))
    row = re.sub(r"-o \S+\.(json|txt|svg|dot|md)\b", "", row)
    row = row.replace("-o out.html", "-o /dev/stdout")
    return row if name is None else f"{row} --format {name}"


class Terminal:
    """A terminal in raw mode that collects what is written to it."""

    def __init__(self):
        self.master, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.content = b""
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def read(self):
        try:
            while part := os.read(self.master, 65536):
                self.content += part
        except OSError:  # EIO: closed by the last writer
            pass

    def finish(self):
        self.reader.join()
        os.close(self.master)
        return self.content


def run_on_terminal(command, environment, folder):
    """Exit code, and what reached the terminals at stdout and stderr."""
    out, err = Terminal(), Terminal()
    process = subprocess.Popen(
        f"exec et-inspect {command}", shell=True, cwd=folder, env=environment,
        stdin=subprocess.DEVNULL, stdout=out.slave, stderr=err.slave,
    )  # fmt: skip
    os.close(out.slave)
    os.close(err.slave)
    try:
        code = process.wait(LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        code = process.wait()
    return code, out.finish(), err.finish()


def check(command, samples, folder):
    """Faults of one command line, and whether it printed an escaped name."""
    environment = {**os.environ, "S": str(samples), "TERM": "xterm", "LC_ALL": "C.UTF-8", "HOME": str(folder),
                   "XDG_CACHE_HOME": str(folder), "XDG_DATA_HOME": str(folder)}  # fmt: skip
    folder.mkdir()
    code, out, err = run_on_terminal(command, environment, folder)
    faults = [] if code in (0, 1, 2, 3, 5) else [f"{command}: exit code {code}: {err[-300:]!r}"]
    if not re.search("--format (?!table|text|github)", command):
        out = COLORS.sub(b"", out)
    # A line of progress on stderr returns to its start.
    for name, content, allowed in (("stdout", out, b"\n\t"), ("stderr", err, b"\n\t\r")):
        for line in content.split(b"\n"):
            if re.search(rb"[\x00-\x1f\x7f]", line.translate(None, allowed)):
                faults.append(f"{command}: {name}: {line[:300]!r}")
                break
    return faults, code in (0, 1) and any(each in out for each in (b"\\x1b", b"\\u001b", b"\\x07", b"\\u0007"))


def main():
    program = pathlib.Path(sys.argv[1]).resolve()
    only = sys.argv[2:]
    os.environ["PATH"] = f"{program.parent}:{os.environ['PATH']}"
    for name in ("ET_INSPECT_STORE", "NO_COLOR", "COLUMNS"):
        os.environ.pop(name, None)
    commands = described(program)
    faults = faults_of_rows(commands.keys(), ROWS)
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        root = pathlib.Path(scratch)
        running, reading = root / "a\x1b]0;folder\x07", root / "b\x1b[34m"
        running.mkdir()
        reading.mkdir()
        write_samples(running, {b"forward": TITLE})
        write_samples(reading, {b"forward": TITLE, b"aten::": b"at\x1b[m:", b"XnnpackBackend": b"Xnn\x1b[34mBackd"})
        given = pathlib.Path(os.environ.get("ET_SHARED_DATA", "")) / "reports/cli/esc.pte"
        if given.is_file():
            (running / "esc.pte").write_bytes(given.read_bytes())
        jobs = []
        for name, rows in ROWS.items():
            more = MORE_ROWS.get(name, []) + (["$S/esc.pte"] if given.is_file() and name in OF_ONE_PROGRAM else [])
            for row in rows + more:
                for each in formats_of(commands.get(name, {"options": []})):
                    for samples in (running, reading) if name in READING and row != "$S/esc.pte" else (running,):
                        if not only or name in only:
                            line = f"{'' if name == 'events' else name} {in_format(row, each)}".strip()
                            jobs.append((name, pool.submit(check, line, samples, root / f"job{len(jobs)}")))
        naming = set()
        for name, job in jobs:
            found, names_something = job.result()
            faults += found
            naming |= {name} if names_something else set()
        for name in sorted({name for name, _ in jobs} - naming - NAMELESS):
            faults.append(f"{name}: no row prints a name, which would be escaped")
        print(f"{len(jobs)} command lines")
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
