#!/bin/sh
# scripts_test.sh CHECKOUT: the scripts parse, support --help, and reject unknown options.
set -eu
cd "$1"

wrong() {
    echo "$*" >&2
    exit 1
}

for script in tools/* tools/internal/*.sh bin/* .ci/run; do
    case $script in
        *.txt | *.md | tools/internal) continue ;;
    esac
    sh -n "$script" || wrong "$script does not parse"
    case $script in
        *.sh) ;;
        *) [ -x "$script" ] || wrong "$script is not executable" ;;
    esac
done

for script in tools/*; do
    case $script in
        *.txt | *.md | tools/internal) continue ;;
    esac
    "$script" --help </dev/null | grep -q "^usage: $script" || wrong "$script --help shows no usage"
    if [ "$script" != tools/env ] && "$script" --no-such-option </dev/null >/dev/null 2>&1; then
        wrong "$script takes --no-such-option"
    fi
done

# One package per line, no duplicates.
packages=$(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' tools/packages.txt)
[ "$(echo "$packages" | sort | uniq -d)" = '' ] || wrong "tools/packages.txt names a package twice"
! echo "$packages" | grep -vE '^[a-z0-9][a-z0-9+.-]+(:(arm64|amd64))?$' || wrong "tools/packages.txt: no package name"
