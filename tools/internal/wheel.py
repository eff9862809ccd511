"""Writes the wheel of the Python package: the package and et-inspect as one file, for every Python and libc.

usage: wheel.py --package FOLDER --program FILE --version VERSION --licence FILE --output FOLDER

The bytes depend only on the files and SOURCE_DATE_EPOCH. Needs neither pip nor a network.
"""

import argparse
import base64
import hashlib
import os
import pathlib
import sys
import time
import tomllib
import zipfile

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "cmake" / "package" / "python"))

import metadata  # noqa: E402: needs the path

CONSOLE = "[console_scripts]\net-inspect = et_inspect._console:main\n"
# The value of e_machine in an ELF header.
MACHINES = {62: "x86_64", 183: "aarch64"}


def machine_of(program: bytes) -> str:
    """Returns the processor of an ELF file, as wheels name it."""
    if program[:4] != b"\x7fELF":
        raise SystemExit("wheel.py: the program is not an ELF file")
    return MACHINES[int.from_bytes(program[18:20], "little")]


def package_files(folder: pathlib.Path) -> dict[str, bytes]:
    """Returns the files of the package by name in the wheel."""
    found = {}
    for parent, folders, names in os.walk(folder, followlinks=True):
        folders[:] = sorted(name for name in folders if name not in ("__pycache__", "bin"))
        for name in sorted(names):
            file = pathlib.Path(parent, name)
            found[f"et_inspect/{file.relative_to(folder).as_posix()}"] = file.read_bytes()
    return found


def information(version: str, tag: str, licence: bytes) -> dict[str, bytes]:
    """Returns the files of the .dist-info folder except RECORD."""
    with open(CHECKOUT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    wheel = f"Wheel-Version: 1.0\nGenerator: et-inspect ({version})\nRoot-Is-Purelib: false\nTag: {tag}\n"
    readme = (CHECKOUT / "python" / "README.md").read_text(encoding="utf-8")
    files = {
        "METADATA": f"{metadata.metadata(project, version)}Description-Content-Type: text/markdown\n\n{readme}".encode(),
        "WHEEL": wheel.encode(),
        "entry_points.txt": f"{CONSOLE}\n{metadata.entry_points(project)}".encode(),
        "licenses/LICENSES.txt": licence,
    }
    return {f"et_inspect-{version}.dist-info/{name}": data for name, data in files.items()}


def record(files: dict[str, bytes], name: str) -> bytes:
    """Returns RECORD: name, hash and size of each file."""
    lines = []
    for file, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{file},sha256={digest},{len(data)}\n")
    return "".join([*lines, f"{name},,\n"]).encode()


def write(path: pathlib.Path, files: dict[str, bytes], program: str) -> None:
    """Writes the archive."""
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]  # ZIP starts in 1980
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix: has permissions
            entry.external_attr = (0o100755 if name == program else 0o100644) << 16
            archive.writestr(entry, data)


def main() -> None:
    """Writes the wheel and prints its path."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("package", "program", "licence", "output"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--version", required=True)
    given = parser.parse_args()
    program = given.program.read_bytes()
    tag = f"py3-none-manylinux_2_17_{machine_of(program)}"
    files = {**package_files(given.package), "et_inspect/bin/et-inspect": program}
    files.update(information(given.version, tag, given.licence.read_bytes()))
    name = f"et_inspect-{given.version}.dist-info/RECORD"
    files[name] = record(files, name)
    path = given.output / f"et_inspect-{given.version}-{tag}.whl"
    write(path, files, "et_inspect/bin/et-inspect")
    print(path)


if __name__ == "__main__":
    main()
