#!/usr/bin/env python3
"""Print the operators of ExecuTorch's releases: rows of inspector/fit/release_operators.cpp.

    tools/internal/executorch_releases.py EXECUTORCH_CLONE >rows.txt

Reads lists of kernels and registrations from a git clone with its tags; nothing is built. A release that has no
tag yet is read from the branch named in RELEASES. Kernels of torchao are in a submodule and are listed by hand.
"""
import re
import subprocess
import sys

RELEASES = {"1.0": "v1.0.1", "1.1": "v1.1.0", "1.2": "v1.2.0", "1.3": "v1.3.1", "1.4": "v1.4.1", "1.5": "main",
            "1.6": "main"}
LISTS = {"Portable": ["kernels/portable/functions.yaml", "kernels/portable/custom_ops.yaml",
                      "kernels/optimized/optimized.yaml"],
         "Quantized": ["kernels/quantized/quantized.yaml"],
         "Aten": ["kernels/aten/functions.yaml", "kernels/aten/edge_dialect_aten_op.yaml"],
         "CortexM": ["backends/cortex_m/ops/operators.yaml"],
         "Cadence": [f"backends/cadence/aot/{name}.yaml"
                     for name in ("functions", "functions_fusion_g3", "functions_hifi", "functions_vision")]}
PRIM = "kernels/prim_ops/register_prim_ops.cpp"
LLM = "extension/llm/custom_ops"


def git(clone, *arguments):
    return subprocess.run(["git", "-C", clone, *arguments], capture_output=True, text=True, errors="replace").stdout


def code(clone, tag, path):
    text = git(clone, "show", f"{tag}:{path}")
    return re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", text, flags=re.S))


def operators_of(clone, tag):
    """{operator: library}; the first library in the order of this function wins."""
    found = {}
    for name in re.findall(r'"((?:executorch_prim|aten)::[\w.]+)"', code(clone, tag, PRIM)):
        found.setdefault(name, "Runtime")
    for library, lists in LISTS.items():
        for path in lists:
            for name in re.findall(r"^-\s*(?:op|func):\s*([\w:.]+)", git(clone, "show", f"{tag}:{path}"), re.M):
                found.setdefault(name if "::" in name else "aten::" + name, library)
    for path in git(clone, "ls-tree", "-r", "--name-only", tag, LLM).split():
        if path.endswith(".cpp"):
            text = code(clone, tag, path)
            for space, name in re.findall(r'EXECUTORCH_LIBRARY\(\s*(\w+),\s*"([\w.]+)"', text):
                found.setdefault(f"{space}::{name}", "Llm")
            for name in re.findall(r'Kernel\(\s*"(\w+::[\w.]+)"', text):
                found.setdefault(name, "Llm")
    return found


def constant(release):
    return "V" + release.replace(".", "_")


def main():
    clone = sys.argv[1]
    by_release = {release: operators_of(clone, tag) for release, tag in RELEASES.items()}
    rows = {}
    for name in sorted(set().union(*by_release.values())):
        libraries = {release: operators[name] for release, operators in by_release.items() if name in operators}
        # The kernels of ATen mode count only for operators that no other library has.
        present = [release for release, library in libraries.items() if library != "Aten"] or list(libraries)
        rows.setdefault((libraries[present[0]], present[0], present[-1]), []).append(name.removeprefix("aten::"))
    for (library, first, last), names in sorted(rows.items()):
        words = " ".join(names)
        until = "Newest" if last == list(RELEASES)[-1] else constant(last)
        print(f"    {{Library::{library}, {{{constant(first)}, {until}}},")
        lines, line = [], ""
        for word in words.split():
            if len(line) + len(word) > 92:
                lines.append(line.rstrip())
                line = ""
            line += word + " "
        lines.append(line.rstrip())
        print("\n".join(f'     "{each} "' for each in lines[:-1]) + ("\n" if lines[:-1] else "") + f'     "{lines[-1]}"}},')


main()
