"""Whether cmake/loading_order.ld does what it is for: loading_order_test.py SOURCES PROGRAM.

Each name in it is one of the sources: a function that was renamed would go back to where its library stands. And what the
patterns name stands together in the program. Which functions are left of them is the compiler's to say: it puts some into
others."""

import fnmatch
import pathlib
import re
import subprocess
import sys

FOLDERS = ("runtime", "backends")
PADDING = 1.1  # functions start at multiples of 16
TOGETHER = 0.9


def patterns_of(order: pathlib.Path) -> list[str]:
    code = re.sub(r"/\*.*?\*/", "", order.read_text(encoding="utf-8"), flags=re.DOTALL)
    return re.findall(r"\.text\.([^\s)]+)", code)


def our_names(pattern: str) -> list[str]:
    """Names behind `et`, of which the last may be a beginning."""
    _, found, ours = pattern.partition("2et")
    return re.findall(r"[A-Za-z]+", re.sub(r"\[[^]]*\]", "*", ours)) if found else []


def unknown_names(root: pathlib.Path, patterns: list[str]) -> list[str]:
    sources = [path for folder in FOLDERS for path in (root / folder).rglob("*") if path.suffix in (".h", ".cpp")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)

    def is_known(name: str) -> bool:
        # C or D behind a class is what makes or ends it.
        return name in text or (name[-1] in "CD" and name[:-1] in text)

    return [f".text.{pattern}: no source says {name}" for pattern in patterns for name in our_names(pattern) if not is_known(name)]


def scattered(program: str, patterns: list[str]) -> list[str]:
    listed = subprocess.run(["nm", "-S", "--defined-only", program], check=True, capture_output=True, text=True).stdout
    rules = re.compile("|".join(map(fnmatch.translate, patterns)))
    named = {
        int(fields[0], 16): int(fields[1], 16)
        for fields in map(str.split, listed.splitlines())
        if len(fields) == 4 and fields[2] in "tTwW" and rules.match(fields[3]) and not fields[3].endswith(".cold")
    }
    taken = sum(named.values())
    # A few are apart: what leads to errors, which the compiler puts elsewhere.
    end = min(named, default=0) + PADDING * taken
    beside = sum(size for start, size in named.items() if start < end)
    return [f"{program}: of {taken} bytes only {beside} stand together"] if beside < TOGETHER * taken or not named else []


def main() -> int:
    root, program = sys.argv[1:]
    patterns = patterns_of(pathlib.Path(root) / "cmake" / "loading_order.ld")
    faults = unknown_names(pathlib.Path(root), patterns) + scattered(program, patterns)
    print("\n".join(faults))
    return 1 if faults or not patterns else 0


if __name__ == "__main__":
    sys.exit(main())
