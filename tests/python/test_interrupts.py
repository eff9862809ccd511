"""Ctrl-C in every function that runs a child: the call ends with KeyboardInterrupt and leaves no process."""

import os
import subprocess
import sys
import textwrap

import et_inspect

# Functions that do not wait for a child.
WITHOUT = {"kernel", "remove_kernel"}

SCRIPT = '''
    import inspect, os, pathlib, signal, sys, threading, time
    import et_inspect

    def children():
        """Running processes other than `et-inspect serve`, which stays for the next call."""
        found = [each.read_text().split() for each in pathlib.Path("/proc/self/task").glob("*/children")]
        lines = [pathlib.Path("/proc", pid, "cmdline").read_bytes() for group in found for pid in group]
        return [line for line in lines if line and line != b"cat\\0"]

    def interrupt(started, ended):
        while not started.exists() and not ended.is_set():
            time.sleep(0.005)
        if not ended.is_set():
            os.kill(os.getpid(), signal.SIGINT)

    def arguments(function):
        given, named = [], {}
        for each in inspect.signature(function).parameters.values():
            if each.kind == each.VAR_POSITIONAL:
                given.append("model.pte")
            elif each.default is each.empty and each.kind == each.KEYWORD_ONLY:
                named[each.name] = "model.pte"
            elif each.default is each.empty and each.kind != each.VAR_KEYWORD:
                given.append("model.pte")
        return given, named

    started = pathlib.Path(sys.argv[1])
    for name in sys.argv[2:]:
        function = getattr(et_inspect, name)
        given, named = arguments(function)
        ended = threading.Event()
        waiting = threading.Thread(target=interrupt, args=(started, ended))
        waiting.start()
        try:
            function(*given, **named)
            end = "returned"
        except KeyboardInterrupt:
            end = "interrupted"
        except Exception as error:
            end = repr(error)
        ended.set()
        waiting.join()
        print(name, end, len(children()), flush=True)
        started.unlink(missing_ok=True)
'''


def test_ctrl_c_ends_every_function(tmp_path):
    started = tmp_path / "started"
    endless = tmp_path / "et-inspect"
    # `serve` ends with its socket, everything else by the interrupt.
    endless.write_text(
        "#!/bin/sh\ntrap 'exit 130' INT\n"
        f": > {started}\n"
        '[ "$1" = serve ] && exec cat > /dev/null\n'
        "while :; do sleep 0.05; done\n"
    )
    endless.chmod(0o755)
    names = [
        name for name in et_inspect.__all__ if name not in WITHOUT and type(getattr(et_inspect, name)).__name__ == "function"
    ]
    assert {"bench", "quantize", "memory", "debug", "visualize"} <= set(names)
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(SCRIPT), started, *names],
        env={**os.environ, "ET_INSPECT_LAUNCHER": str(endless)}, cwd=tmp_path,
        capture_output=True, text=True, timeout=200,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert [line.split(" ", 1) for line in ran.stdout.splitlines()] == [[name, "interrupted 0"] for name in names], ran.stdout
