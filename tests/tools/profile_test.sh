#!/bin/sh
# profile_test.sh CHECKOUT: measurements and output of tools/build --profile and --profile-file.
set -eu
tools=$1/tools
. "$tools/internal/profile.sh"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
log=$folder/log

wrong() {
    echo "$*" >&2
    exit 1
}

# expect PATTERN FILE: a line of FILE matches.
expect() {
    grep -qE -- "$1" "$2" || { cat "$2" >&2; wrong "no line matches: $1"; }
}

# The exit code of the command, its processor time without waiting, and the argument of -o.
status=0
sh "$tools/internal/processor_time" "$log" sh -c 'exit 3' || status=$?
[ "$status" -eq 3 ] || wrong "exit code $status, expected 3"
: >"$log"
sh "$tools/internal/processor_time" "$log" sh -c 'sleep 1' x -o app/CMakeFiles/et_app.dir/idle.cpp.o
expect '^0m0\.[0-4][0-9]*s 0m0\.[0-4][0-9]*s	app/CMakeFiles/et_app\.dir/idle\.cpp\.o$' "$log"
: >"$log"
sh "$tools/internal/processor_time" "$log" sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done' x -o busy.o
expect '^0m([1-9]|[0-9]+\.[0-9]*[1-9]).* ' "$log"

printf '0m1.000s 0m1.000s\n1m2.400s 0m3.000s\n' >"$folder/times"
[ "$(children_seconds "$folder/times")" = 65 ] || wrong "65 seconds are $(children_seconds "$folder/times")"

# Sums per target, links separate, most expensive first, shares of the total.
cat >"$log" <<'END'
0m1.500s 0m0.500s	app/cli/CMakeFiles/et_cli.dir/one.cpp.o
1m5.000s 0m1.000s	app/cli/CMakeFiles/et_cli.dir/two.cpp.o
0m30.000s 0m0.000s	inspector/join/CMakeFiles/et_inspector_join.dir/batches/b_0.cpp.o
0m2.000s 0m0.000s	app/cli/et-inspect
END
print_profile "$log" 200 >"$folder/printed"
expect '^processor time: 200 s = 3\.3 min, of which 100 s in compilers and linkers$' "$folder/printed"
expect '^ +68\.0 +34\.0 % +2  app/cli  et_cli$' "$folder/printed"
expect '^ +2\.0 +1\.0 % +1  links$' "$folder/printed"
expect '^ +66\.0 +33\.0 %  app/cli/two\.cpp\.o$' "$folder/printed"
expect '^ +30\.0 +15\.0 %  inspector/join/batches/b_0\.cpp\.o$' "$folder/printed"
[ "$(grep -n et_cli "$folder/printed" | cut -d: -f1)" -lt "$(grep -n et_inspector_join "$folder/printed" | cut -d: -f1)" ] ||
    wrong "not ordered by time"

# Clang's trace: phases, and times of headers and templates.
printf '%s' '{"traceEvents":[{"pid":1,"tid":1,"ts":1000,"cat":"Source","ph":"b","id":0,"name":"Source","args":{"detail":"/usr/include/a.h"}},' \
    '{"pid":1,"tid":1,"ts":251000,"cat":"Source","ph":"e","id":0,"name":"Source"},' \
    '{"pid":1,"tid":1,"ts":6,"ph":"X","dur":90000,"name":"InstantiateFunction","args":{"detail":"et::f<int, char>"}},' \
    '{"pid":1,"tid":1,"ts":0,"ph":"X","dur":400000,"name":"Total Frontend","args":{"count":1,"avg ms":400}}],"beginningOfTime":1}' \
    >"$folder/trace.json"
print_trace "$folder/trace.json" >"$folder/printed"
expect '^ +400 ms  Frontend$' "$folder/printed"
expect '^ +250 ms  Header  /usr/include/a\.h$' "$folder/printed"
expect '^ +90 ms  Function  et::f<int, char>$' "$folder/printed"
