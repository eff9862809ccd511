"""Samples written by ``et-inspect sample``."""

import functools
import os
import pathlib
import subprocess
import tempfile

ET_INSPECT = os.environ.get(
    "ET_INSPECT_LAUNCHER", pathlib.Path(__file__).parents[2] / "build" / "release" / "app" / "cli" / "et-inspect"
)

# Shared by all tests and kept until they end.
_folder = tempfile.TemporaryDirectory(prefix="et-inspect-tests-")


@functools.cache
def sample(name):
    """Returns the folder of a sample."""
    folder = pathlib.Path(_folder.name) / name
    subprocess.run(
        [ET_INSPECT, "sample", name, "-o", folder],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return folder


def conv_net(kind):
    """Returns a file of the sample conv_net: program, bundled program, ETRecord, trace or debug buffer."""
    names = {"pte": "conv_net.pte", "bpte": "conv_net.bpte", "etrecord": "conv_net.etrecord", "etdp": "conv_net.etdp"}
    return str(sample("conv_net") / names.get(kind, "conv_net_debug.bin"))


def command_line(*arguments):
    """Returns the output of the command line, whatever the verdict."""
    done = subprocess.run([ET_INSPECT, *map(str, arguments)], capture_output=True, check=False)
    return done.stdout.decode()


def zip_equal(one, other):
    """Returns zip() of sequences of the same length. Python has ``strict`` since 3.10."""
    assert len(one) == len(other)
    return zip(one, other)
