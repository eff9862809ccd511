#!/bin/sh
# readme_test.sh CHECKOUT: what README.md shows after each "$ bin/et-inspect …" is what that command prints.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
ln -s "$1/bin" bin
bin/et-inspect sample conv_net -o build/sample >/dev/null

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
    # README has no blanks at the ends of lines.
    sh "$command" 2>&1 | sed 's/ *$//' >printed
    if ! diff -u "${command%.command}.shown" printed >difference; then
        echo "README.md: $(cat "$command")" >&2
        cat difference >&2
        status=1
    fi
done
exit "$status"
