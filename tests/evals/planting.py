"""Plants causes into the sample models: slow operators into traces, wrong or repeated weights into programs."""

import json
import pathlib
import shutil
import struct
import subprocess


class Workshop:
    """A folder with the samples, and files with planted causes."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = pathlib.Path(folder)
        for sample in ("conv_net", "mobilenet_v2_small", "faults"):
            self.inspect("sample", sample, "-o", folder)
        self._weights = {}

    def inspect(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        return done.stdout

    def path(self, name):
        return str(self.folder / name)

    def lowered(self, name, model, *options):
        """A program that is delegated to XNNPACK, and its ETRecord."""
        program, record = self.path(f"{name}.pte"), self.path(f"{name}.etrecord")
        self.inspect("lower", self.path(f"{model}.etrecord"), "-o", program, "--etrecord-out", record, *options)
        return program, record

    def slow(self, name, model, event, instruction, nanoseconds):
        """A trace in which each execution of an event took longer; later events start later."""
        columns = "event_name,raw,start_time,instruction_id"
        trace = self.path(f"{model}.etdp")
        listed = self.inspect(
            "events", trace, "--format", "json", "--target-time-scale", "ns", "--columns", columns, "--operator-calls"
        )
        times, planted = set(), set()
        for row in json.loads(listed)["rows"]:
            for start, duration in zip(row["start_time"], row["raw"]):
                times |= {int(start), int(start + duration)}
                if row["event_name"] == event and row["instruction_id"] == instruction:
                    planted.add(int(start + duration))
        assert planted, event
        moved = {time: time + nanoseconds * sum(each <= time for each in planted) for time in times}
        data = bytearray(pathlib.Path(trace).read_bytes())
        for at in range(0, len(data) - 7, 4):
            (value,) = struct.unpack_from("<Q", data, at)
            if value in moved:
                struct.pack_into("<Q", data, at, moved[value])
        return self.write(f"{name}.etdp", data)

    def weights(self, model):
        """Name -> bytes of each constant of a program, and module."""
        if model not in self._weights:
            saved = self.path(f"{model}_weights")
            program, record = self.path(f"{model}.pte"), self.path(f"{model}.etrecord")
            listed = self.inspect("tensors", program, record, "--save", saved, "--format", "json")
            self._weights[model] = {
                each["name"]: (self.npy(pathlib.Path(saved) / pathlib.Path(each["file"]).name), each["module"])
                for each in json.loads(listed)
                if each["origin"] == "constant" and each.get("file")
            }
        return self._weights[model]

    @staticmethod
    def npy(path):
        data = path.read_bytes()
        (header,) = struct.unpack_from("<H", data, 8)
        return data[10 + header :]

    def wrong_weight(self, name, model, weight, change):
        """A program whose weight is that of `model`, changed."""
        values, _ = self.weights(model)[weight]
        return self.replace(name, self.path(f"{model}.pte"), values, change(values))

    def replace(self, name, program, old, new):
        data = pathlib.Path(program).read_bytes()
        assert old != new and len(old) == len(new) and old in data, name
        return self.write(f"{name}.pte", data.replace(old, new, 1))

    def write(self, name, data):
        pathlib.Path(self.path(name)).write_bytes(data)
        return self.path(name)

    def copy(self, source, name):
        return shutil.copyfile(self.path(source), self.path(name))


def scaled(factor):
    """Multiplies all elements of a float32 weight."""
    return lambda data: struct.pack(f"<{len(data) // 4}f", *(each * factor for each in struct.unpack(f"<{len(data) // 4}f", data)))


def one_changed(data):
    """Changes the largest element of a float32 weight to its tenfold negative."""
    values = list(struct.unpack(f"<{len(data) // 4}f", data))
    at = max(range(len(values)), key=lambda index: abs(values[index]))
    values[at] *= -10
    return struct.pack(f"<{len(values)}f", *values)
