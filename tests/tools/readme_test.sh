#!/bin/sh
# readme_test.sh CHECKOUT: the output in README.md after each "$ bin/et-inspect …" equals that of the command, except for
# measured numbers and column widths.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
ln -s "$1/bin" bin

# Numbers with a decimal point or an exponent are times and shares; the unit depends on the time.
without_measurements() {
    sed -E 's/[0-9]+(\.[0-9]+)? +(ns|µs|ms|s)([^a-z]|$)/# T\3/g; s/[0-9]+(\.[0-9]+(e[-+]?[0-9]+)?|e[-+]?[0-9]+)/#/g; s/  +/ /g; s/(─)+/─/g; s/(═)+/═/g; s/ *$//' "$1"
}

# Two files for each command in a console block: the command, and its output in README.md.
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
