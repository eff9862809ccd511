#!/bin/sh
# python_launcher_test.sh CHECKOUT: programs started as sys.executable are bin/et-python, with the package on their path.
set -eu
python=$1/bin/et-python
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cat >test.py <<'END'
import multiprocessing
import subprocess
import sys


def square(number):
    return number * number


if __name__ == "__main__":
    started = [sys.executable, "-c", "import et_inspect, sys; print(et_inspect.__version__, len(sys.path))"]
    said = [subprocess.run(started, check=True, capture_output=True, text=True).stdout for _ in range(2)]
    assert said[0] == said[1] != "", said
    inner = [sys.executable, "-c", f"import subprocess; subprocess.run({started!r}, check=True)"]
    assert subprocess.run(inner, check=True, capture_output=True, text=True).stdout == said[0]
    for method in ("spawn", "forkserver", "fork"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(square, [1, 2, 3]) == [1, 4, 9], method
    print("done", sys.executable)
END
said=$("$python" test.py)
case $said in done*) ;; *) echo "$said" >&2; exit 1 ;; esac
ln -s "$python" linked
said=$(./linked test.py)
case $said in done*) ;; *) echo "through a link: $said" >&2; exit 1 ;; esac
