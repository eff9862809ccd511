#!/bin/sh
# readme_test.sh CHECKOUT: what README.md shows after each "$ bin/et-inspect …" is what that command prints, but for
# measured numbers and the widths that follow from them.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
ln -s "$1/bin" bin

# Numbers with a decimal point or an exponent are times and shares of them; the unit of a time is what fits it.
without_measurements() {
    sed -E 's/[0-9]+(\.[0-9]+)? +(ns|µs|ms|s)([^a-z]|$)/# T\3/g; s/[0-9]+(\.[0-9]+(e[-+]?[0-9]+)?|e[-+]?[0-9]+)/#/g; s/  +/ /g; s/(─)+/─/g; s/(═)+/═/g; s/ *$//' "$1"
}

# One file for each command in a console block: the command, and what README says it prints.
awk '
    /^```console$/ { inside = 1; next }
    /^```/ { inside = 0 }
    inside && sub(/^\$ /, "") { ++count; print >(count ".command"); printf "" >(count ".shown"); next }
    inside && count { print >(count ".shown") }
' "$1/README.md"
[ -e 1.command ] || {
    echo "README.md shows no command" >&2
    exit 1
}

status=0
for command in *.command; do
    sh "$command" >printed 2>&1
    without_measurements printed >printed.plain
    without_measurements "${command%.command}.shown" >shown.plain
    if ! diff -u shown.plain printed.plain >difference; then
        echo "README.md: $(cat "$command")" >&2
        cat difference >&2
        status=1
    fi
done
exit "$status"
