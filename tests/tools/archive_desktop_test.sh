#!/bin/sh
# archive_desktop_test.sh CHECKOUT: the launcher of the archive adds and removes the menu entry, icons and file types of
# et-studio, also for a folder whose name must be quoted, and starts the program of its name through a link.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

wrong() {
    echo "$*" >&2
    exit 1
}

folder="$scratch/a b\$c%d&e|f"
mkdir -p "$folder/lib" "$folder/share/desktop/applications" "$folder/share/desktop/icons/hicolor/48x48/apps" \
    "$folder/share/desktop/mime/packages"
sed 's/LOADER/loader/' "$1/app/archive/launch.sh" >"$folder/et-studio"
chmod +x "$folder/et-studio"
cp "$folder/et-studio" "$folder/et-inspect"
cp "$1/app/studio/share/et-studio.desktop" "$folder/share/desktop/applications/"
cp "$1/app/studio/share/et-inspect.xml" "$folder/share/desktop/mime/packages/"
echo icon >"$folder/share/desktop/icons/hicolor/48x48/apps/et-studio.png"
# In place of the dynamic loader.
printf '#!/bin/sh\nprintf "%%s\\n" "$@" "$ET_INSPECT_LAUNCHER"\n' >"$folder/lib/loader"
chmod +x "$folder/lib/loader"

# In place of the tools that update databases.
mkdir "$scratch/tools"
for tool in update-mime-database update-desktop-database; do
    printf '#!/bin/sh\n[ $# -eq 1 ] && [ -d "$1" ] && echo "${0##*/}" >>"%s"\n' "$scratch/updated" >"$scratch/tools/$tool"
    chmod +x "$scratch/tools/$tool"
done
export PATH="$scratch/tools:$PATH" XDG_DATA_HOME="$scratch/my data" HOME="$scratch"
mkdir -p "$scratch/my data/applications"
echo other >"$scratch/my data/applications/other.desktop"
"$folder/et-studio" --install >"$scratch/out"
grep -qF "$scratch/my data" "$scratch/out" || wrong "--install does not name the folder"
entry="$scratch/my data/applications/et-studio.desktop"
grep -qxF "Exec=\"$scratch/a b\\\\\$c%%d&e|f/et-studio\" %F" "$entry" || wrong "$(grep Exec "$entry")"
! grep -q TryExec "$entry" || wrong "TryExec names a program that is not in PATH"
for file in icons/hicolor/48x48/apps/et-studio.png mime/packages/et-inspect.xml; do
    [ -s "$scratch/my data/$file" ] || wrong "$file is not installed"
done
[ "$(tr '\n' ' ' <"$scratch/updated")" = 'update-mime-database update-desktop-database ' ] || wrong "databases not updated"
"$folder/et-studio" --uninstall >/dev/null
left=$(find "$scratch/my data" -name 'et-*')
[ -z "$left" ] || wrong "not removed: $left"
[ -s "$scratch/my data/applications/other.desktop" ] || wrong "another menu entry was removed"

status=0
"$folder/et-studio" --install more 2>"$scratch/err" || status=$?
[ "$status" -eq 2 ] || wrong "--install with an argument: exit status $status"

ln -s "$folder/et-inspect" "$scratch/et-inspect"
printf '%s\n' --inhibit-cache --library-path "$folder/lib" --argv0 et-inspect "$folder/lib/et-inspect" info 'a b' \
    "$folder/et-inspect" >"$scratch/expected"
env -u HOME -u XDG_DATA_HOME "$scratch/et-inspect" info 'a b' >"$scratch/out"
diff "$scratch/expected" "$scratch/out" || wrong "unexpected command line"
