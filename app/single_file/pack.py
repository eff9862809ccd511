"""Makes a single file: a starter with programs, their dynamic loader and shared libraries. runtime/core/single_file.h has the format."""

import argparse
import pathlib
import re
import struct
import subprocess
import tempfile

LARGEST_PAGE = 65536  # of arm64
MASK = (1 << 64) - 1
FACTOR = 0x9E3779B97F4A7C15


def checksum(data):
    """Returns checksum() of runtime/core/single_file.h."""
    lanes = [len(data), 1, 2, 3]
    whole = len(data) // 32 * 32
    words = struct.unpack(f"<{whole // 8}Q", data[:whole])
    for lane in range(4):
        value = lanes[lane]
        for word in words[lane::4]:
            value = (value ^ word) * FACTOR & MASK
            value ^= value >> 32
        lanes[lane] = value
    for at in range(whole, len(data), 8):
        value = (lanes[0] ^ int.from_bytes(data[at : at + 8], "little")) * FACTOR & MASK
        lanes[0] = value ^ value >> 32
    total = 0
    for value in lanes:
        total = (total ^ value) * FACTOR & MASK
        total ^= total >> 32
    return total


def read_elf(readelf, path, pattern):
    text = subprocess.run([readelf, "-dlW", path], capture_output=True, text=True, check=True).stdout
    return re.findall(pattern, text)


def find(folders, name):
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    raise SystemExit(f"pack.py: there is no {name} in {', '.join(map(str, folders))}")


def libraries(readelf, folders, start):
    """Returns the paths of all libraries that files need, by name."""
    found = {}
    waiting = list(start)
    while waiting:
        for name in read_elf(readelf, waiting.pop(), r"\(NEEDED\).*\[(.*)\]"):
            if name not in found:
                found[name] = find(folders, name)
                waiting.append(found[name])
    return found


class Loader:
    """A dynamic loader whose calls of openat and mmap are redirected to a hook that is added to it."""

    SEGMENT, NOTE = 1, 4
    HEADER = struct.Struct("<IIQQQQQQ")

    def __init__(self, data, hook):
        self.data = bytearray(data)
        self.hook = hook
        self.table, = struct.unpack_from("<Q", data, 32)
        size, count = struct.unpack_from("<HH", data, 54)
        self.headers = [self.HEADER.unpack_from(data, self.table + i * size) for i in range(count)]
        self.data += bytes(-len(self.data) % LARGEST_PAGE)
        self.file_start = len(self.data)
        end = max(each[3] + each[6] for each in self.segments())
        self.start = end + -end % LARGEST_PAGE

    def segments(self):
        return [each for each in self.headers if each[0] == self.SEGMENT]

    def code(self):
        """The executable segment: its file offset, address and contents."""
        flags_executable = 1
        (each,) = (each for each in self.segments() if each[1] & flags_executable)
        return each[2], each[3], bytes(self.data[each[2] : each[2] + each[5]])

    def redirect(self):
        """Returns the file, and the offset of the hook's data in it."""
        offset, address, code = self.code()
        added = bytearray(self.hook)
        entry = struct.unpack_from("<I", self.hook)[0]
        sites = []
        for name, instruction in self.CALLS.items():
            found = self.sites(code, instruction)
            if not found:
                raise SystemExit(f"pack.py: the dynamic loader's calls of {name} have an unknown form")
            sites += found
        for site in sites:
            added += bytes(-len(added) % 16)
            thunk = self.thunk(entry - len(added), address + site - self.start - len(added))
            jump = self.jump(self.start + len(added) - address - site)
            self.data[offset + site : offset + site + len(jump)] = jump
            added += thunk
        self.data += added
        self.add_segment(len(added))
        return bytes(self.data), self.file_start

    def add_segment(self, size):
        readable_executable = 5
        note = next(i for i, each in enumerate(self.headers) if each[0] == self.NOTE)
        del self.headers[note]
        last = max(i for i, each in enumerate(self.headers) if each[0] == self.SEGMENT)
        self.headers.insert(
            last + 1, (self.SEGMENT, readable_executable, self.file_start, self.start, self.start, size, size, LARGEST_PAGE)
        )
        for i, each in enumerate(self.headers):
            self.HEADER.pack_into(self.data, self.table + i * self.HEADER.size, *each)


class LoaderX86(Loader):
    PAGE = 4096
    SYSCALL_AND_COMPARISON = bytes.fromhex("0f05 483d00f0ffff")
    CALLS = {"openat": bytes.fromhex("b801010000"), "mmap": bytes.fromhex("b809000000")}  # mov $257, %eax; mov $9, %eax

    def sites(self, code, instruction):
        found = []
        at = code.find(self.SYSCALL_AND_COMPARISON)
        while at >= 0:
            near = code[max(0, at - 24) : at]
            number = near.rfind(b"\xb8")  # the last mov to %eax
            if number >= 0 and near[number : number + 5] == instruction:
                found.append(at)
            at = code.find(self.SYSCALL_AND_COMPARISON, at + 1)
        return found

    def jump(self, distance):
        return b"\xe9" + struct.pack("<i", distance - 5) + b"\x90" * 3

    def thunk(self, to_hook, to_site):
        """Skips the red zone, calls the hook, repeats the comparison, and returns behind it."""
        code = bytes.fromhex("488d642480")
        code += b"\xe8" + struct.pack("<i", to_hook - len(code) - 5)
        code += bytes.fromhex("488da42480000000 483d00f0ffff")
        return code + b"\xe9" + struct.pack("<i", to_site + 8 - len(code) - 5)


class LoaderArm64(Loader):
    PAGE = LARGEST_PAGE
    CALLS = {"openat": struct.pack("<I", 0xD2800708), "mmap": struct.pack("<I", 0xD2801BC8)}  # mov x8, #56; mov x8, #222
    SVC = struct.pack("<I", 0xD4000001)

    def sites(self, code, instruction):
        found = []
        for at in range(0, len(code), 4):
            if code[at : at + 4] == self.SVC and instruction in code[max(0, at - 24) : at]:
                found.append(at)
        return found

    def branch(self, distance, link=False):
        return struct.pack("<I", (0x94000000 if link else 0x14000000) | (distance // 4 & 0x3FFFFFF))

    def jump(self, distance):
        return self.branch(distance)

    def thunk(self, to_hook, to_site):
        code = struct.pack("<I", 0xA9BF7BFD)  # stp x29, x30, [sp, #-16]!
        code += self.branch(to_hook - len(code), link=True)
        code += struct.pack("<I", 0xA8C17BFD)  # ldp x29, x30, [sp], #16
        return code + self.branch(to_site + 4 - len(code))


LOADERS = {62: LoaderX86, 183: LoaderArm64}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("readelf", "strip", "hook", "starter", "output"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--folders", nargs="+", type=pathlib.Path, help="where libraries are")
    parser.add_argument("--load", nargs="*", default=[], help="libraries that are loaded by name, besides those that programs are linked to")
    parser.add_argument("--modules", nargs="*", default=[], type=pathlib.Path, help="own libraries that are loaded by name")
    parser.add_argument("--programs", nargs="+", type=pathlib.Path, help="the first is started unless the file is called otherwise")
    parser.add_argument("--data", nargs="*", default=[], metavar="NAME=FILE", help="files that programs read, if they exist")
    return parser.parse_args()


def stripped(strip, path):
    with tempfile.NamedTemporaryFile() as copy:
        subprocess.run([strip, "-o", copy.name, path], check=True)
        return pathlib.Path(copy.name).read_bytes()


def carried_files(given):
    """Returns the contents of all carried files by name, the loader first; the offset of the hook's data in it; and their alignment."""
    loaded = {name: find(given.folders, name) for name in given.load}
    needed = loaded | libraries(given.readelf, given.folders, [*given.programs, *loaded.values()])
    (interpreter,) = {pathlib.Path(each).name for each in read_elf(given.readelf, given.programs[0], r"interpreter: (.*)\]")}
    needed.pop(interpreter, None)
    loader = find(given.folders, interpreter).read_bytes()
    machine = struct.unpack_from("<H", loader, 18)[0]
    loader, hook = LOADERS[machine](loader, pathlib.Path(given.hook).read_bytes()).redirect()
    files = {interpreter: loader} | {path.name: stripped(given.strip, path) for path in [*given.programs, *given.modules]}
    for name, _, path in (each.partition("=") for each in given.data):
        if pathlib.Path(path).exists():
            files[name] = pathlib.Path(path).read_bytes()
    return files | {name: needed[name].read_bytes() for name in sorted(needed)}, hook, LOADERS[machine].PAGE


def main():
    given = parse_arguments()
    files, hook, page = carried_files(given)
    start = pathlib.Path(given.starter).read_bytes()
    out = bytearray(start)
    table = b""
    for name, data in files.items():
        out += bytes(-len(out) % page)
        table += struct.pack("<48sQQQ", name.encode(), len(out), len(data), checksum(data))
        out += data
    out += bytes(-len(out) % 8)
    trailer = struct.pack(
        "<8sQQQQQQ", b"ET1FILE\n", len(out), len(files), checksum(table), hook, len(start), checksum(start)
    )
    written = pathlib.Path(given.output)
    written.write_bytes(out + table + trailer + struct.pack("<Q", checksum(trailer)))
    written.chmod(0o755)


if __name__ == "__main__":
    main()
