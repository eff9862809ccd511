"""Checks the vocabulary of documentation, comments and messages: words that the project replaced must not return.

usage: vocabulary_test.py CHECKOUT
       vocabulary_test.py --self-test
"""

import pathlib
import re
import subprocess
import sys

# Pattern, and the replacement that the message suggests. Patterns are matched without regard to case.
BANNED = [
    (r"\brooms?\b", "panel (of the window), or space"),
    (r"\bverbs?\b", "command"),
    (r"\bstimul(us|i)\b", "inputs"),
    (r"(?<!--)\bjudges?\b", "oracle"),
    (r"\bhouse\b", "project"),
    (r"\bstrangers?\b", "other people, or untrusted"),
    (r"\b(there|where)(of|in|by|upon)\b", "of it, in it, by it"),
    (r"\bbeside\b", "next to, or compared with"),
    (r"\bstands? in\b", "is in, or replaces"),
    (r"\bthere may be (no|any|none)\b", "none is allowed"),
    (r"\bthat which\b", "the noun"),
    (r"\bof what\b", "the noun: 'counts of the items'"),
    (r"\bwhat (is|are|was|were) (there|of|to)\b", "the noun"),
    (r"\b(says|said|tells|told) (what|whether|which|how|nothing|of)\b", "reports, documents"),
    (r"\bknows (of|nothing|what|which|how|whether)\b", "detects, or is independent of"),
    (r"\bcomes? to (?!the front)", "is, totals"),
    (r"\bgo(es|ing)? wrong\b|\bwent wrong\b", "fails"),
    (r"\bworked out\b", "computed"),
    (r"\blives? in\b", "is in"),
    (r"\bis no (such )?[a-z]+ of\b", "is not"),
    (r"\bhas it that\b|\bas it has it\b", "as defined by"),
    (r"\bwhat (it|they) (takes?|has|have) to\b", "the noun"),
    (r"\bare told\b|\bis told\b", "is notified, receives"),
    (r"\bwherever there\b|\bwhatever there\b", "everywhere, any"),
]
# A comment that begins with "What" describes a noun clause instead of naming the thing.
COMMENT_START = re.compile(r"^\s*///?<?\s+What\b")

# File and text in which a banned word is right, with the reason.
ALLOWED = [
    ("CONTRIBUTING.md", "verb", "the part of speech"),
    ("docs/how_to/find_wrong_operator.md", "goes wrong", "the user's question"),
    ("app/studio/perspectives.cpp", "go wrong", "the user's question"),
    ("app/studio/tours.cpp", "go wrong", "the user's question"),
    ("docs/reference/studio.md", "go wrong", "the user's question"),
    ("tests/tools/vocabulary_test.py", "", "the list itself"),
]

LITERAL_OR_COMMENT = re.compile(r'(?P<comment>//[^\n]*)|R"(?P<tag>\w*)\((?P<raw>.*?)\)(?P=tag)"|"(?P<text>(?:\\.|[^"\\\n])*)"',
                                re.DOTALL)
PROGRAMS = ("app/", "backends/", "bundled_program/", "etdump/", "etrecord/", "inspector/", "runtime/", "visualizers/")


def cpp_texts(text, with_strings):
    """(offset, text) of the comments of C++ code, and of its string literals with a space in them."""
    for match in LITERAL_OR_COMMENT.finditer(text):
        if match["comment"]:
            yield match.start(), match["comment"]
        elif with_strings and " " in (found := match["raw"] or match["text"] or ""):
            yield match.start(), found


def markdown_texts(text):
    """(offset, line) outside of code blocks."""
    inside = False
    offset = 0
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("```"):
            inside = not inside
        elif not inside:
            yield offset, line
        offset += len(line)


def hash_texts(text):
    """(offset, comment) of scripts and CMake files."""
    for match in re.finditer(r"(?:^|(?<=\s))#(?!!)[^\n]*", text):
        yield match.start(), match.group()


def texts(name, text):
    if name.endswith((".h", ".cpp")):
        return cpp_texts(text, name.startswith(PROGRAMS))
    if name.endswith(".md"):
        return markdown_texts(text)
    if name.endswith((".cmake", "CMakeLists.txt", ".py", ".sh")):
        return hash_texts(text)
    return ()


def without_code(text):
    """The text with inline code blanked: identifiers keep their names."""
    return re.sub(r"`[^`\n]*`", lambda code: " " * len(code.group()), text)


def problems(name, text):
    for offset, found in texts(name, text):
        found = without_code(found)
        line = text.count("\n", 0, offset) + 1
        if COMMENT_START.match(found):
            yield f'{name}:{line}: a comment that begins with "What": name the thing'
        for pattern, instead in BANNED:
            match = re.search(pattern, found, re.IGNORECASE)
            if match and not any(name == file and word in match.group().lower() for file, word, _ in ALLOWED):
                yield f'{name}:{line}: "{match.group()}": write {instead}'


def self_test():
    code = '// What is there.\nint room = f("no room left"); // the verb\nconst char* s = "room";\n'
    found = list(problems("app/x.cpp", code))
    assert len(found) == 4, found
    assert found[0].startswith("app/x.cpp:1: a comment") and '"room": write panel' in found[2], found
    assert len(list(problems("tests/x.cpp", code))) == 3
    assert not list(problems("docs/x.md", "`room`\n```\nroom\n```\nA panel.\n"))
    assert len(list(problems("docs/x.md", "```\nroom\n```\nA room.\n"))) == 1
    assert len(list(problems("x.cmake", "set(room 1)  # a room\n"))) == 1
    print("the checks find what they should")


def main(arguments):
    if arguments == ["--self-test"]:
        self_test()
        return True
    root = pathlib.Path(arguments[0])
    listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True, text=True, check=False)
    names = listed.stdout.split("\0") if listed.returncode == 0 else [
        str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()]
    names = [name for name in names if name and (root / name).is_file()]
    found = [problem for name in names
             for problem in problems(name, (root / name).read_text(encoding="utf-8", errors="replace"))]
    print("\n".join(found + [f"{len(names)} files, {len(found)} problems"]))
    return not found


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
