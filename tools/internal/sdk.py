"""Completes an installed libet_inspect to the SDK archive: adds the libraries it needs, and lets all of them load on Debian 12.

usage: sdk.py --folder PREFIX --libraries FOLDER...

A program that is built with the SDK uses the C and C++ libraries of its own system, which may be older than those of Debian 13. Each
symbol that only newer versions have is requested without a version: the system's older definition then serves (fmodf), or
that of libet_older.so.
"""

import argparse
import pathlib
import shutil
import struct
import subprocess
import sys

CHECKOUT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(CHECKOUT / "app" / "single_file"))

import pack as single_file  # noqa: E402: needs the path

# Every system has its own, which the rest of the program also uses.
OF_THE_SYSTEM = ("libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1")
# The newest versions in Debian 12.
NEWEST = {"GLIBC": (2, 36), "GLIBCXX": (3, 4, 30), "CXXABI": (1, 3, 13), "GCC": (12,)}
# Symbols of libet_older.so, and those whose older definitions compute the same.
REPLACED = {
    "__cxa_call_terminate",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "_ZSt21ios_base_library_initv",
    "fmod",
    "fmodf",
}
WITHOUT_VERSION = 1  # VER_NDX_GLOBAL


def is_too_new(version):
    """Returns whether Debian 12 lacks a version such as "GLIBC_2.38"."""
    family, _, number = version.partition("_")
    try:
        return tuple(map(int, number.split("."))) > NEWEST[family]
    except (KeyError, ValueError):
        return False


class Library:
    """An ELF library for 64 bits whose version requirements can be changed."""

    def __init__(self, path):
        self.path = path
        self.data = bytearray(path.read_bytes())
        start, size, count, names = struct.unpack_from("<Q", self.data, 0x28)[0], *struct.unpack_from("<HHH", self.data, 0x3A)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, start + size * each) for each in range(count)]
        name_table = headers[names][4]
        self.sections = {self.text(name_table + header[0]): header for header in headers}
        self.strings = self.sections[".dynstr"][4]

    def text(self, at):
        return bytes(self.data[at : self.data.index(0, at)]).decode()

    def required_versions(self):
        """Yields lists of (offset of the requirement, index, name), one list for each needed library."""
        if ".gnu.version_r" not in self.sections:
            return
        at = self.sections[".gnu.version_r"][4]
        while True:
            _, count, _, first, following = struct.unpack_from("<HHIII", self.data, at)
            items, item = [], at + first
            for _ in range(count):
                _, _, index, name, after = struct.unpack_from("<IHHII", self.data, item)
                items.append((item, index, self.text(self.strings + name)))
                item += after
            yield items
            if following == 0:
                return
            at += following

    def symbols_of(self, indexes):
        """Returns (offset of the version, name) of the undefined symbols with these version indexes."""
        header = self.sections[".dynsym"]
        found = []
        for number in range(header[5] // 24):
            name, _, _, section = struct.unpack_from("<IBBH", self.data, header[4] + 24 * number)
            place = self.sections[".gnu.version"][4] + 2 * number
            if section == 0 and struct.unpack_from("<H", self.data, place)[0] & 0x7FFF in indexes:
                found.append((place, self.text(self.strings + name)))
        return found

    def accept_older(self):
        """Removes requirements that Debian 12 does not meet. Returns the symbols that keep the library from loading there."""
        newer, missing = set(), []
        for items in self.required_versions():
            older = [item for item, _, name in items if not is_too_new(name)]
            for item, index, name in items:
                if not is_too_new(name):
                    continue
                newer.add(index)
                if not older:
                    missing.append(name)
                    continue
                # The name and hash of another version of the same library, which it has.
                self.data[item : item + 4] = self.data[older[0] : older[0] + 4]
                self.data[item + 8 : item + 12] = self.data[older[0] + 8 : older[0] + 12]
        for place, name in self.symbols_of(newer):
            struct.pack_into("<H", self.data, place, WITHOUT_VERSION)
            if name not in REPLACED:
                missing.append(name)
        self.path.write_bytes(self.data)
        return missing


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="prefix of the installed component sdk")
    parser.add_argument("--libraries", type=pathlib.Path, nargs="+", required=True, help="where libraries are")
    given = parser.parse_args()
    (own,) = (path for path in given.folder.glob("lib*/**/libet_inspect.so.*") if not path.is_symlink())
    carried = own.parent / "et-inspect"
    needed = single_file.libraries("readelf", [carried, *given.libraries], [own])
    for name in sorted(needed.keys() - set(OF_THE_SYSTEM)):
        if needed[name].parent != carried:
            shutil.copy(needed[name], carried / name)
    failed = False
    for path in [own, *sorted(carried.iterdir())]:
        subprocess.run(["strip", "--strip-unneeded", path], check=True)
        for symbol in Library(path).accept_older():
            print(f"sdk.py: {path.name} needs {symbol}, which Debian 12 does not have", file=sys.stderr)
            failed = True
    sys.exit(failed)


if __name__ == "__main__":
    main()
