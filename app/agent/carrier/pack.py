"""Puts a program, its dynamic loader and its shared libraries into one compressed file, for main.cpp to carry.

pack.py READELF PROGRAM OUTPUT FOLDER...: libraries are looked for in the folders, as a device's own are not those of the program.
"""

import pathlib
import re
import struct
import subprocess
import sys
import zlib


def needed(readelf, path):
    """The names of the shared libraries that a file asks for."""
    said = subprocess.run([readelf, "-dW", path], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\(NEEDED\).*\[(.*)\]", said)


def loader(readelf, path):
    said = subprocess.run([readelf, "-lW", path], capture_output=True, text=True, check=True).stdout
    return re.search(r"program interpreter: (.*)\]", said).group(1)


def find(name, folders):
    for folder in folders:
        if (folder / name).exists():
            return folder / name
    raise SystemExit(f"pack.py: {name} is in none of {', '.join(map(str, folders))}")


def main(readelf, program, output, *folders):
    folders = [pathlib.Path(each) for each in folders]
    start = pathlib.Path(loader(readelf, program)).name
    files = {start: find(start, folders), "et-agent-program": pathlib.Path(program)}
    waiting = [pathlib.Path(program)]
    while waiting:
        for name in needed(readelf, waiting.pop()):
            if name not in files:
                files[name] = find(name, folders)
                waiting.append(files[name])
    content = struct.pack("<I", len(files))
    for name, path in files.items():
        data = path.read_bytes()
        content += struct.pack("<I", len(name)) + name.encode() + struct.pack("<Q", len(data)) + data
    pathlib.Path(output).write_bytes(struct.pack("<Q", len(content)) + zlib.compress(content, 9))


main(*sys.argv[1:])
