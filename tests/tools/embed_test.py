#!/usr/bin/env python3
"""embed_test.py CHECKOUT ET_INSPECT PREFIX [--compiler CXX] [--root FOLDER]: builds examples/embed against an installed et-inspect (dev
package or SDK), runs the programs on sample files and checks the results.

With --root, all of this except the sample files happens in the root folder of another system, without network."""

import argparse
import pathlib
import re
import subprocess
import tempfile

SAMPLES = ("conv_net", "llama")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("et_inspect", type=pathlib.Path)
    parser.add_argument("prefix", type=pathlib.Path)
    parser.add_argument("--compiler", default="c++")
    parser.add_argument("--standards", nargs="+", default=["20"], help="of C++")
    parser.add_argument("--root", type=pathlib.Path, help="root folder of a system with this compiler and cmake")
    return parser.parse_args()


def copy_examples(checkout, folder):
    """Copies examples/embed. Returns the names of its programs, and checks that the page shows lines of them."""
    shown = (checkout / "docs/how_to/embed.md").read_text()
    examples = {file.name: file.read_text() for file in (checkout / "examples/embed").iterdir()}
    code = "".join("".join(text.split()) for text in examples.values())
    for block in re.findall(r"^```(?:cmake|cpp)\n(.*?)^```", shown, re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            assert "".join(line.split()) in code, f"embed.md: no example has the line {line}"
    for name, text in examples.items():
        (folder / name).write_text(text)
    return [name.removesuffix(".cpp") for name in examples if name.endswith(".cpp")]


class Place:
    """Where the examples are built and run: this system, or the root folder of another."""

    def __init__(self, given, folder):
        self.given = given
        self.folder = folder

    def run(self, *command):
        if self.given.root:
            bind = ["--ro-bind", self.given.root, "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp", "--unshare-net"]
            bind += ["--bind", self.folder, "/tmp/app", "--chdir", "/tmp/app"]
            if self.given.prefix != pathlib.Path("/usr"):
                bind += ["--ro-bind", self.given.prefix, "/tmp/prefix"]
            command = ["bwrap", *bind, "--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "HOME", "/tmp", *command]
        done = subprocess.run(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}exit status {done.returncode}")
        return done.stdout

    def build(self, standard):
        prefix = self.given.prefix
        if self.given.root and prefix != pathlib.Path("/usr"):
            prefix = "/tmp/prefix"
        generator = [] if self.given.root else ["-G", "Ninja"]
        flags = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
        self.run("cmake", *generator, "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_COMPILER={self.given.compiler}",
                 "-DCMAKE_BUILD_TYPE=Debug", f"-DCMAKE_CXX_FLAGS={flags}", f"-DCMAKE_CXX_STANDARD={standard}")
        self.run("cmake", "--build", "build")


def check(name, output):
    """Checks what an example prints."""
    lines = output.splitlines()
    if name == "run":
        numbers = list(map(float, lines))
        assert len(numbers) == 10 and abs(sum(numbers) - 1) < 1e-3, output
    elif name == "own_kernel":
        assert lines == ["hardtanh of 1024 numbers"], output
    elif name == "chat":
        rates = [float(line.split()[0]) for line in lines if line.endswith("tokens/s")]
        assert len(rates) == 2 and min(rates) > 0, output
        assert all(len(line.split()) > 5 for line in lines[::2]), output


def main():
    given = parse_arguments()
    given.prefix = given.prefix.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        programs = copy_examples(given.checkout, folder)
        assert {"run", "profile", "own_kernel", "chat"} == set(programs), programs
        for sample in SAMPLES:
            subprocess.run([given.et_inspect, "sample", sample, "-o", folder], check=True, stdout=subprocess.DEVNULL)
        place = Place(given, folder)
        for standard in given.standards:
            place.build(standard)
            for program in programs:
                check(program, place.run(f"./build/{program}"))
        table = subprocess.run([given.et_inspect, "--etdump", folder / "run.etdp", "--etrecord", folder / "conv_net.etrecord"],
                               check=True, capture_output=True, text=True).stdout
        assert "native_call_hardtanh.out" in table and "Method::execute" in table, table


if __name__ == "__main__":
    main()
