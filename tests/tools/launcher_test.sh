#!/bin/sh
# launcher_test.sh CHECKOUT PROGRAM BINARY: bin/PROGRAM behaves like BINARY, from any folder and under any name.
set -eu
launcher=$1/bin/$2
program=$2
binary=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

wrong() {
    echo "$*" >&2
    exit 1
}

version=$("$binary" --version)
[ -n "$version" ] || wrong "$binary --version says nothing"

# same HOW COMMAND...: COMMAND prints what the binary prints.
same() {
    how=$1
    shift
    said=$("$@" --version) || wrong "$how: exit status $?"
    [ "$said" = "$version" ] || wrong "$how: printed '$said', not '$version'"
}

same "from another folder" "$launcher"
mkdir deep 'with space'
ln -s "$launcher" deep/absolute
ln -s ../deep/absolute 'with space/relative'
same "through symlinks" './with space/relative'
same "found in PATH" env PATH="$1/bin:$PATH" "$program"
same "from its own folder, without a slash" sh -c "cd '$1/bin' && exec sh $program --version"

# Arguments and exit status pass through unchanged.
status=0
"$launcher" --no-such-option 'two words' >direct 2>&1 || status=$?
expected=0
"$binary" --no-such-option 'two words' >through 2>&1 || expected=$?
[ "$status" -eq "$expected" ] && [ "$status" -ne 0 ] || wrong "exit status $status, not $expected"
cmp direct through || wrong "the launcher changes what the program says"

# Commands that start et-inspect or et-layout find them.
if [ "$program" = et-inspect ]; then
    "$launcher" sample add_mul -o made >made.txt || wrong "sample: exit status $?"
    "$launcher" verify made/add_mul.bpte >verified.txt 2>&1 || wrong "verify: $(cat verified.txt)"
    "$launcher" graph made/add_mul.pte -o made/graph.svg >drawn.txt 2>&1 || wrong "graph: $(cat drawn.txt)"
fi

# Without a build: one line with the command to run, and exit status 127.
mkdir -p other/bin other/tools
cp "$launcher" other/bin
cp -r "$1/tools/internal" other/tools
status=0
other/bin/"$program" --version >out 2>err || status=$?
[ "$status" -eq 127 ] || wrong "not built: exit status $status, not 127"
[ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -q 'other/tools/build$' err || wrong "not built: $(cat err)"

# best_of COMMAND...: the fastest of 20 runs, in microseconds, because other tests run in parallel.
best_of() {
    best=999999999
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        start=$(date +%s%N)
        "$@" >/dev/null
        took=$((($(date +%s%N) - start) / 1000))
        [ "$took" -ge "$best" ] || best=$took
    done
    echo "$best"
}
direct=$(best_of "$binary" --version)
through=$(best_of "$launcher" --version)
echo "direct $direct us, through the launcher $through us"
[ $((through - direct)) -lt 15000 ] || wrong "the launcher adds $((through - direct)) us"
