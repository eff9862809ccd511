"""readme_folders_test.py CHECKOUT: folders and headers that a README.md names exist, and a README.md that lists
folders names all with sources."""

import pathlib
import re
import sys

SKIPPED = {"build", "dist", "node_modules", "__pycache__"}
LISTED = re.compile(r"^\s*- `([\w./-]+)/`", re.MULTILINE)
HEADER = re.compile(r"`([\w/-]+\.h)`")
SOURCES = (".cpp", ".h", ".py", ".cmake", ".sh", ".txt")


def has_sources(folder: pathlib.Path) -> bool:
    return any(path.suffix in SOURCES for path in folder.rglob("*") if not SKIPPED & set(path.parts))


def headers_in(checkout: pathlib.Path) -> set[str]:
    """Paths of all headers without their first folders: a/b/c.h, b/c.h and c.h."""
    found = set()
    for path in checkout.rglob("*.h"):
        parts = path.relative_to(checkout).parts
        if not SKIPPED & set(parts):
            found |= {"/".join(parts[i:]) for i in range(len(parts))}
    return found


def problems(text: str, folder: pathlib.Path, headers: set[str]) -> list[str]:
    listed = LISTED.findall(text)
    found = [f"there is no folder {name}/" for name in listed if not (folder / name).is_dir()]
    for name in HEADER.findall(text):
        if name not in headers:
            found.append(f"there is no header {name}")
    if listed:
        for child in sorted(folder.iterdir()):
            skipped = child.name in SKIPPED or child.name.startswith(".") or not child.is_dir()
            if not skipped and not re.search(rf"`{re.escape(child.name)}[`/]", text) and has_sources(child):
                found.append(f"does not name the folder {child.name}/")
    return found


def main() -> int:
    checkout = pathlib.Path(sys.argv[1])
    here = pathlib.Path(__file__).parent
    headers = headers_in(checkout)
    if len(problems("- `missing/`: see `missing.h`", here, headers)) < 3 or problems("`missing/`", here, headers):
        print("the check itself is wrong")
        return 1
    wrong = 0
    for readme in sorted(checkout.rglob("README.md")):
        parts = readme.relative_to(checkout).parts
        if SKIPPED & set(parts) or any(part.startswith(".") for part in parts):
            continue
        for problem in problems(readme.read_text(encoding="utf-8"), readme.parent, headers):
            print(f"{'/'.join(parts)}: {problem}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
