"""Writes a folder as a .tar.xz that depends only on the folder's contents and SOURCE_DATE_EPOCH. Usage: tar_xz.py FOLDER FILE"""

import concurrent.futures
import io
import lzma
import os
import pathlib
import sys
import tarfile

BLOCK = 24 << 20  # each is compressed alone, so that processors share the work and their number changes nothing


def normal(member):
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mtime = int(os.environ["SOURCE_DATE_EPOCH"])
    member.mode = 0o755 if member.isdir() or member.mode & 0o100 else 0o644
    return member


def main(folder, file):
    folder = pathlib.Path(folder)
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
        tar.add(folder, folder.name, filter=normal)  # sorts the names
    blocks = [packed.getbuffer()[at : at + BLOCK] for at in range(0, packed.tell(), BLOCK)]
    with concurrent.futures.ThreadPoolExecutor() as pool, open(file, "wb") as written:
        for block in pool.map(lzma.compress, blocks):
            written.write(block)


main(*sys.argv[1:])
