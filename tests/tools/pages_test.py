#!/usr/bin/env python3
"""pages_test.py PAGE ET_INSPECT: runs the ```console blocks of a page in a temporary folder, in order.
pages_test.py --links CHECKOUT: checks relative links and anchors of README.md, CONTRIBUTING.md, CHANGELOG.md and docs/.

A line `$ command` starts a command; a trailing backslash or a here-document (<<'END') continues it. The lines below are its
output, stderr included. They are compared after numbers, the units of times, the widths of columns and bars are normalized.
A line `…` stands for any number of lines, `…` inside of a line for any text. Without output lines, only the exit status is
checked: 0, unless the last line of the output is `[exit status N]`. The warning that times drift is ignored, because it depends
on other load of the machine."""

import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMMAND_TIMEOUT = 100  # seconds
DRIFT_WARNING = re.compile(r"et-inspect: warning: .*: the runs of .* get slower or faster from first to last.*")
GENERATED_PAGES = {  # the build writes these
    f"docs/reference/{page}.md" for page in ("cli", "error_codes", "finding_rules", "sql_tables")
}


class Command:
    def __init__(self, line, text):
        self.line = line  # number in the page
        self.text = text
        self.output = []
        self.status = 0


def console_commands(page):
    """The commands of all ```console blocks."""
    commands = []
    inside = False
    lines = iter(enumerate(page.splitlines(), 1))
    for number, line in lines:
        if line.startswith("```"):
            inside = not inside and line == "```console"
            current = None
            continue
        if not inside:
            continue
        if line.startswith("$ "):
            text = line[2:]
            while text.endswith("\\"):
                text += "\n" + next(lines)[1]
            here = re.search(r"<<'?(\w+)'?", text)
            while here and text.splitlines()[-1] != here.group(1):
                text += "\n" + next(lines)[1]
            current = Command(number, text)
            commands.append(current)
        elif current is None:
            raise SystemExit(f"line {number}: a console block starts with a command")
        elif status := re.fullmatch(r"\[exit status (\d+)\]", line):
            current.status = int(status.group(1))
        else:
            current.output.append(line)
    for command in commands:
        while command.output and not command.output[-1]:
            command.output.pop()
    return commands


def normalized(line):
    line = re.sub(r"(?<![\w.])[-+−]?\d+(\.\d+)?(e[-+]?\d+)?|\d+", "#", line)
    line = re.sub(r"#(\.#)+(e[-+]?#)?", "#", line)
    line = re.sub(r"# *(ns|µs|us|ms|s)\b", "# T", line)
    line = re.sub(r"([─═━-])\1+", r"\1", line)
    line = re.sub(r"[▏▎▍▌▋▊▉█░]+", "█", line)
    return re.sub(r"\s+", " ", line).strip()


def matches(expected, actual):
    """Whether the lines of `actual` are those of `expected`, in which … stands for any text or any lines."""
    patterns = [
        r"(?:.*\n)*" if line == "…" else ".*".join(map(re.escape, line.split("…"))) + r"\n" for line in expected
    ]
    return re.fullmatch("".join(patterns), "".join(line + "\n" for line in actual)) is not None


def check_command(command, folder, environment):
    """The differences from what the page shows, as text; empty if there are none."""
    result = subprocess.run(
        ["bash", "-c", command.text],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=COMMAND_TIMEOUT,
        check=False,
    )
    printed = result.stdout.decode("utf-8", "replace").splitlines()
    problems = ""
    if result.returncode != command.status:
        problems += f"exit status {result.returncode}, expected {command.status}\n"
    if command.output:
        expected = [normalized(line) for line in command.output]
        actual = [normalized(line) for line in printed if not DRIFT_WARNING.fullmatch(line)]
        while actual and not actual[-1]:
            actual.pop()
        if not matches(expected, actual):
            problems += "\n".join(difflib.unified_diff(expected, actual, "page", "printed", lineterm="")) + "\n"
    if problems:
        problems += "it printed:\n" + "\n".join(printed) + "\n"
    return problems


def run_page(page, program):
    commands = console_commands(pathlib.Path(page).read_text(encoding="utf-8"))
    if not commands:
        raise SystemExit(f"{page}: it has no console block")
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch)
        for name in ("work", "home", "bin", "cache", "data", "config"):
            (root / name).mkdir()
        (root / "bin" / "et-inspect").symlink_to(pathlib.Path(program).resolve())
        environment = os.environ | {
            "PATH": f"{root / 'bin'}:{os.environ['PATH']}",
            "HOME": str(root / "home"),
            "XDG_CACHE_HOME": str(root / "cache"),
            "XDG_DATA_HOME": str(root / "data"),
            "XDG_CONFIG_HOME": str(root / "config"),
            "LC_ALL": "C.UTF-8",
            "TERM": "dumb",
            "NO_COLOR": "1",
        }
        failed = 0
        for command in commands:
            problems = check_command(command, root / "work", environment)
            if problems:
                failed += 1
                print(f"{page}:{command.line}: $ {command.text}\n{problems}", file=sys.stderr)
    print(f"{page}: {len(commands)} commands, {failed} differ")
    return failed == 0


def without_code(text):
    """The text with code blocks and inline code blanked, line by line."""
    lines = []
    inside = False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
            lines.append("")
        else:
            lines.append("" if inside else re.sub(r"`[^`]*`", "", line))
    return lines


def anchors(path):
    """The anchors that GitHub makes of the headings of a page."""
    found = set()
    inside = False
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.lstrip().startswith("```"):
            inside = not inside
        heading = re.match(r"#{1,6} +(.*?)\s*#*$", line)
        if inside or not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.group(1))
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        unique = slug
        count = 0
        while unique in found:
            count += 1
            unique = f"{slug}-{count}"
        found.add(unique)
    return found


def link_problem(root, page, target):
    """Why a link of a page is wrong; None if it is right or leads elsewhere."""
    if re.match(r"[a-z]+:", target):
        return None
    name, _, anchor = target.partition("#")
    path = (page.parent / name).resolve() if name else page
    try:
        inside = path.relative_to(root)
    except ValueError:
        return "outside of the checkout"
    if str(inside) in GENERATED_PAGES:
        return None
    if not path.exists():
        return "no such file"
    if anchor and path.suffix == ".md" and anchor not in anchors(path):
        return "no such heading"
    return None


def check_links(checkout):
    root = pathlib.Path(checkout).resolve()
    pages = [root / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    pages += sorted((root / "docs").rglob("*.md"))
    count = 0
    problems = []
    for page in pages:
        name = page.relative_to(root)
        for number, line in enumerate(without_code(page.read_text(encoding="utf-8")), 1):
            if re.search(r"!\[\]\(", line):
                problems.append(f"{name}:{number}: a picture without a text")
            targets = re.findall(r"\]\(<?([^)\s>]+)>?(?: +\"[^\"]*\")?\)", line)
            targets += re.findall(r"(?:src|href)=\"([^\"]+)\"", line) + re.findall(r"^\[[^\]]+\]: +(\S+)", line)
            for target in targets:
                count += 1
                if problem := link_problem(root, page, target):
                    problems.append(f"{name}:{number}: {target}: {problem}")
    print("\n".join(problems + [f"{len(pages)} pages, {count} links, {len(problems)} wrong"]))
    return not problems


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "--links":
        return check_links(arguments[1])
    if len(arguments) == 2:
        return run_page(*arguments)
    raise SystemExit(__doc__)


sys.exit(0 if main(sys.argv[1:]) else 1)
