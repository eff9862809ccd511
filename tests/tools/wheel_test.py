"""wheel_test.py CHECKOUT PACKAGE PROGRAM: the wheel has the same bytes twice, is complete, and works where it is installed."""

import base64
import csv
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile
import zipfile

CODE = """
import et_inspect
from et_inspect import _places
print(_places.find())
print(et_inspect.verify("sample/add_mul.bpte").passed)
print(et_inspect.graph("sample/add_mul.pte").to_svg().startswith("<svg"))
print(et_inspect.open("sample/add_mul.pte", "sample/add_mul.etdp").files["program"])
"""


def run(*command, **options):
    done = subprocess.run([str(each) for each in command], text=True, capture_output=True, **options)
    assert done.returncode == 0, f"{command}:\n{done.stdout}{done.stderr}"
    return done.stdout


def main(checkout, package, program):
    checkout = pathlib.Path(checkout)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": "1764500000"}
    with tempfile.TemporaryDirectory(prefix="et-wheel-") as scratch:
        scratch = pathlib.Path(scratch)
        made = []
        for name in ("one", "two"):
            (scratch / name).mkdir()
            made.append(run(
                sys.executable, checkout / "tools/internal/wheel.py", "--package", package, "--program", program, "--version", "1.2.3",
                "--licence", checkout / "LICENSE", "--output", scratch / name, env=environment,
            ).strip())  # fmt: skip
        one, two = map(pathlib.Path, made)
        assert one.read_bytes() == two.read_bytes()
        assert one.name.startswith("et_inspect-1.2.3-py3-none-manylinux_2_17_"), one.name
        with zipfile.ZipFile(one) as archive:
            names = set(archive.namelist())
            listed = csv.reader(archive.read("et_inspect-1.2.3.dist-info/RECORD").decode().splitlines())
            for name, digest, size in listed:
                names.remove(name)
                if digest:
                    data = archive.read(name)
                    found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
                    assert (digest, size) == (f"sha256={found}", str(len(data))), name
            assert names == set(), names
        installed = scratch / "installed"
        run(sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", installed, one)
        bare = {"PATH": "/usr/bin", "PYTHONPATH": str(installed)}
        run(installed / "bin/et-inspect", "sample", "add_mul", "-o", "sample", cwd=scratch, env=bare)
        said = run(sys.executable, "-c", CODE, cwd=scratch, env=bare).split()
        assert said == [str(installed / "et_inspect/bin/et-inspect"), "True", "True", "sample/add_mul.pte"], said


main(*sys.argv[1:])
