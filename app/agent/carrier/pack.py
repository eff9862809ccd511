"""Puts a program, its dynamic loader and its shared libraries into one compressed file, for main.cpp to carry.

pack.py READELF PROGRAM OUTPUT FOLDER...: the libraries are searched in the folders.
"""

import pathlib
import struct
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "single_file"))
import pack as single_file  # noqa: E402


def main(readelf, program, output, *folders):
    folders = [pathlib.Path(each) for each in folders]
    (loader,) = single_file.read_elf(readelf, program, r"interpreter: .*/(.*)\]")
    needed = single_file.libraries(readelf, folders, [program])
    needed.pop(loader, None)
    files = {loader: single_file.find(folders, loader), "et-agent-program": pathlib.Path(program)} | needed
    content = struct.pack("<I", len(files))
    for name, path in files.items():
        data = path.read_bytes()
        content += struct.pack("<I", len(name)) + name.encode() + struct.pack("<Q", len(data)) + data
    compressed = subprocess.run(["zstd", "--ultra", "-22", "--quiet"], input=content, stdout=subprocess.PIPE, check=True).stdout
    pathlib.Path(output).write_bytes(struct.pack("<Q", len(content)) + compressed)


main(*sys.argv[1:])
