"""unused_using_test.py CHECKOUT: sources have no using-declaration that they do not use.

clang-tidy finds these too, but checks only files of recent changes (tools/test).
"""

import pathlib
import re
import sys

FOLDERS = ("app", "backends", "benchmarks", "bundled_program", "etdump", "etrecord", "inspector", "runtime", "tests", "visualizers")
DECLARATION = re.compile(r"^\s*using [\w:]+::(\w+);", re.MULTILINE)
COMMENT = re.compile(r"//.*")


def unused(text: str) -> list[str]:
    found = []
    for match in DECLARATION.finditer(text):
        rest = COMMENT.sub("", text[: match.start()] + text[match.end() :])
        if not re.search(rf"\b{match[1]}\b", rest):
            found.append(match[0].strip())
    return found


def main() -> int:
    if unused("using a::B;\n// B\n") != ["using a::B;"] or unused("using a::B;\nB b;\n"):
        print("the check itself is wrong")
        return 1
    checkout = pathlib.Path(sys.argv[1])
    problems = 0
    for folder in FOLDERS:
        for path in sorted((checkout / folder).rglob("*.cpp")):
            for declaration in unused(path.read_text(encoding="utf-8")):
                print(f"{path.relative_to(checkout)}: unused: {declaration}")
                problems += 1
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
