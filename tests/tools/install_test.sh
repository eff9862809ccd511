#!/bin/sh
# install_test.sh CHECKOUT PREFIX: what `cmake --install` put below PREFIX is all there, and a desktop finds et-studio for
# the files that it opens. Needs no display and no desktop.
set -eu
checkout=$1
prefix=$2

wrong() {
    echo "$*" >&2
    exit 1
}

for file in bin/et-inspect libexec/et-inspect/et-layout libexec/et-inspect/et-agent share/man/man1/et-inspect.1.gz \
        share/bash-completion/completions/et-inspect share/zsh/site-functions/_et-inspect \
        share/fish/vendor_completions.d/et-inspect.fish share/doc/et-inspect/README.md \
        share/doc/et-inspect/docs/reference/formats.md; do
    [ -s "$prefix/$file" ] || wrong "$file is not installed"
done
if [ -e "$checkout/build/arm64/app/agent/et-agent" ]; then
    cmp "$checkout/build/arm64/app/agent/et-agent" "$prefix/libexec/et-inspect/et-agent-arm64" ||
        wrong "the agent for arm64 is not installed"
fi
[ "$("$prefix/bin/et-inspect" --version | cut -d' ' -f1)" = et-inspect ] || wrong "et-inspect does not say its version"

# The layout engine is found next to the programs.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$prefix/bin/et-inspect" sample add_mul -o "$folder" >/dev/null
"$prefix/bin/et-inspect" graph "$folder/add_mul.pte" --format svg -o "$folder/add_mul.svg"
grep -q '<svg' "$folder/add_mul.svg" || wrong "et-inspect graph draws nothing"

# The Python package reads a trace from where it was put (tests/python/test_package.py has more).
modules=$prefix/lib/python3/dist-packages
if [ -d "$modules/et_inspect" ]; then
    for file in py.typed _native.py devtools/__init__.py; do
        [ -e "$modules/et_inspect/$file" ] || wrong "et_inspect/$file is not installed"
    done
    PATH=$prefix/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$modules python3 - "$folder/add_mul.etdp" >"$folder/table" <<'END'
import sys
from et_inspect.devtools import Inspector

Inspector(etdump_path=sys.argv[1]).print_data_tabular()
END
    grep -q 'native_call_add' "$folder/table" || wrong "the Python package reads no trace"
fi

[ -e "$prefix/bin/et-studio" ] || exit 0

for size in 16x16 24x24 32x32 48x48 64x64 128x128 256x256; do
    icon=$prefix/share/icons/hicolor/$size/apps/et-studio.png
    [ "$(head -c 4 "$icon" | tail -c 3)" = PNG ] || wrong "$icon is no picture"
done
grep -q '<svg' "$prefix/share/icons/hicolor/scalable/apps/et-studio.svg" || wrong "there is no icon that scales"
gzip -dc "$prefix/share/man/man1/et-studio.1.gz" | grep -q '^\.TH' || wrong "there is no manual page of et-studio"

# value KEY: of the desktop entry.
entry=$prefix/share/applications/et-studio.desktop
value() {
    sed -n "s/^$1=//p" "$entry"
}
[ "$(head -n 1 "$entry")" = '[Desktop Entry]' ] || wrong "et-studio.desktop is no desktop entry"
[ "$(value Type)" = Application ] || wrong "et-studio.desktop names no application"
[ -x "$prefix/bin/$(value TryExec)" ] || wrong "et-studio.desktop tries $(value TryExec)"
[ "$(value Exec)" = 'et-studio %F' ] || wrong "et-studio.desktop runs $(value Exec)"
[ "$(value Icon)" = et-studio ] || wrong "et-studio.desktop has the icon $(value Icon)"

# The types of the entry and of the database are the same, and the database takes them.
value MimeType | tr ';' '\n' | sed '/^$/d' | sort >"$folder/of_entry"
sed -n 's/.*<mime-type type="\([^"]*\)".*/\1/p' "$prefix/share/mime/packages/et-inspect.xml" | sort >"$folder/of_database"
diff "$folder/of_entry" "$folder/of_database" || wrong "the desktop entry and the MIME types differ"
if command -v update-mime-database >/dev/null; then
    mkdir -p "$folder/mime/packages"
    cp "$prefix/share/mime/packages/et-inspect.xml" "$folder/mime/packages"
    update-mime-database "$folder/mime" >"$folder/said" 2>&1 || wrong "$(cat "$folder/said")"
    ! grep -i 'error\|parse' "$folder/said" >&2 || wrong "the MIME types are damaged"
    for suffix in pte ptd bpte etdp etrecord; do
        grep -q ":\*\.$suffix\$" "$folder/mime/globs2" || wrong "nothing claims *.$suffix"
    done
    for mark in ET12 FT01 BP08 ED00 ETRECORD_V0 'SQLite format 3'; do
        grep -aq "$mark" "$folder/mime/magic" || wrong "nothing is recognised by $mark"
    done
fi

# The marks are those of the schemas.
for schema in runtime/program/schema/program.fbs runtime/program/schema/flat_tensor.fbs \
        bundled_program/schema/bundled_program.fbs etdump/schema/etdump.fbs; do
    mark=$(sed -n 's/^file_identifier "\(.*\)";/\1/p' "$checkout/$schema")
    grep -q "value=\"$mark\"" "$prefix/share/mime/packages/et-inspect.xml" || wrong "no MIME type has the mark $mark of $schema"
done
