#!/bin/sh
# Installs the Python package on a minimal Debian 13 with only apt, and uses it there without a compiler. Not part of the test
# suite, because it needs the package archive and creates a temporary root.
set -eu
checkout=$(dirname "$(dirname "$(dirname "$(readlink -f "$0")")")")
tools=$checkout/tools
. "$tools/internal/common.sh"
. "$tools/internal/private_root.sh"

case ${1:-deb} in
    deb | wheel) kind=${1:-deb} ;;
    *)
        cat <<'END'
usage: tests/tools/bare_debian.sh [deb|wheel]
  deb    (default) installs the package python3-et-inspect of the release build, which must exist
  wheel  builds a wheel from the checkout as `pip install .` does, and installs that
  Needs mmdebstrap, the superuser or user namespaces, and an archive of Debian 13 (tools/env --help).
END
        [ "${1:-}" = --help ] && exit 0
        exit 2 ;;
esac
command -v mmdebstrap >/dev/null || fail "mmdebstrap is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
chmod 755 "$work"
in_bare=/var/tmp/et-inspect

say "making the $kind"
"$tools/env" cpack -G DEB -D CPACK_COMPONENTS_ALL=python -B "$work/deb" \
    --config "$checkout/build/release/CPackConfig.cmake" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "no .deb"; }
mkdir "$work/in"
"$checkout/bin/et-inspect" sample add_mul -o "$work/in" >/dev/null
cp "$work"/deb/python3-et-inspect_*.deb "$work/in/package.deb"
if [ "$kind" = wheel ]; then
    "$tools/env" python3 -m pip wheel "$checkout" --no-build-isolation --no-deps --no-index -w "$work/in" \
        >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "no wheel"; }
fi

cat >"$work/in/use.py" <<'END'
import shutil
import sys

import et_inspect
from et_inspect.devtools import Inspector

assert not any(map(shutil.which, ("cc", "gcc", "g++", "clang", "cmake"))), "there is a compiler"
folder, kind = sys.argv[1:]
Inspector(etdump_path=f"{folder}/add_mul.etdp", etrecord=f"{folder}/add_mul.etrecord").print_data_tabular()
program = et_inspect.runtime.Runtime.get().load_program(f"{folder}/add_mul.pte")
print(program.method_names, et_inspect.memory(f"{folder}/add_mul.pte").peak_bytes)
if kind == "wheel":
    assert et_inspect.verify(f"{folder}/add_mul.bpte").passed
else:
    try:
        et_inspect.verify(f"{folder}/add_mul.bpte")
        raise AssertionError("et-inspect is not installed, but found")
    except et_inspect.errors.NotFoundError as error:
        print(error)
END

cat >"$work/in/install" <<END
set -eu
export DEBIAN_FRONTEND=noninteractive
cd $in_bare
if [ "\$1" = deb ]; then
    apt-get install -y -q --no-install-recommends ./package.deb
else
    # A wheel cannot depend on system packages: install the dependencies of the .deb.
    needed=\$(dpkg-deb --field package.deb Depends | tr ',' '\n' | sed 's/[(|].*//')
    apt-get install -y -q --no-install-recommends python3-pip \$needed
    pip install --break-system-packages --no-deps --no-index ./et_inspect-*.whl
fi
cd /
python3 -c "import et_inspect; print('et_inspect', et_inspect.__version__)"
python3 $in_bare/use.py $in_bare "\$1"
END

say "installing it on a bare Debian 13"
apt_options >"$work/options"
chmod 644 "$work/options"
LC_ALL=C mmdebstrap --variant=apt --format=null --aptopt="$work/options" --dpkgopt=force-unsafe-io \
    --customize-hook="mkdir -p \"\$1\"$in_bare && cp $work/in/* \"\$1\"$in_bare" \
    --customize-hook="chroot \"\$1\" sh $in_bare/install $kind" \
    "$suite" /dev/null "$(debian_mirror)" >"$work/log" 2>&1 || { tail -n 60 "$work/log" >&2; fail "it does not work there"; }
sed -n '/^et_inspect [0-9]/,/^I: cleaning/p' "$work/log" | sed '$d'
say "it works"
