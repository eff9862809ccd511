#include "app/tasks/probe/reexport_script.h"

namespace et::tasks {

std::string_view reexportScript() {
    return R"py(#!/usr/bin/env python3
"""Lower the probes in this folder with your partitioner.

Usage: python3 reexport.py MODULE:PARTITIONER [PROBE...]

MODULE:PARTITIONER is imported and, if it is callable, called without arguments:
"my_backend:make_partitioner". Replaces PROBE.bpte by a program with the same inputs
and expected outputs; without PROBE, those of all ETRecords in this folder.
"""

import glob
import importlib
import os
import sys

from executorch.devtools import BundledProgram, parse_etrecord
from executorch.devtools.bundled_program.config import MethodTestCase, MethodTestSuite
from executorch.devtools.bundled_program.serialize import (
    serialize_from_bundled_program_to_flatbuffer,
)
from executorch.exir import EdgeCompileConfig, EdgeProgramManager


def partitioner(name):
    module, _, attribute = name.partition(":")
    found = getattr(importlib.import_module(module), attribute)
    return found() if callable(found) else found


def lower(path, name):
    record = parse_etrecord(path)
    edge = EdgeProgramManager(
        record.edge_dialect_program,
        compile_config=EdgeCompileConfig(_check_ir_validity=False),
    )
    program = edge.to_backend(partitioner(name)).to_executorch()
    case = MethodTestCase(
        inputs=record._representative_inputs,
        expected_outputs=record._reference_outputs["forward"][0],
    )
    suite = MethodTestSuite(method_name="forward", test_cases=[case])
    content = serialize_from_bundled_program_to_flatbuffer(BundledProgram(program, [suite]))
    with open(os.path.splitext(path)[0] + ".bpte", "wb") as file:
        file.write(content)


def main():
    if len(sys.argv) < 2 or ":" not in sys.argv[1]:
        sys.exit(__doc__.strip())
    folder = os.path.dirname(os.path.abspath(__file__))
    names = sys.argv[2:] or [
        os.path.splitext(os.path.basename(path))[0]
        for path in sorted(glob.glob(os.path.join(glob.escape(folder), "*.etrecord")))
    ]
    failed = 0
    for name in names:
        try:
            lower(os.path.join(folder, name + ".etrecord"), sys.argv[1])
        except Exception as error:  # a backend may reject some of the sizes
            failed += 1
            print(f"{name}: {error}", file=sys.stderr)
    print(f"{len(names) - failed} of {len(names)} probes lowered")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
)py";
}

}  // namespace et::tasks
