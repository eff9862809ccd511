# Processor time of a build: tools/build --profile and --profile-file. Sourced, after common.sh.

# children_seconds TIMES: processor time of a script's children, from the output of `times` in the file TIMES.
children_seconds() {
    awk 'NR == 2 { split($1 "m" $2, part, "m"); print int(part[1] * 60 + part[2] + part[3] * 60 + part[4] + 0.5) }' "$1"
}

# minutes TIMES: the same in minutes, with one decimal.
minutes() {
    children_seconds "$1" | awk '{ printf "%.1f\n", $1 / 60 }'
}

# print_profile LOG TOTAL: prints tables for a log of processor_time, for a build of TOTAL seconds.
print_profile() {
    awk -F '\t' -v total="$2" '
        function seconds(text,    part) {  # "0m1.5s 0m0.25s"
            sub(/ /, "m", text)
            split(text, part, "m")
            return part[1] * 60 + part[2] + part[3] * 60 + part[4]
        }
        function cell(value) { return sprintf("%9.1f %5.1f %%", value, 100 * value / (total > 0 ? total : 1)) }
        {
            used = seconds($1)
            compiled = $2 ~ /\/CMakeFiles\/.*\.(o|gch)$/
            target = "links"
            if (compiled) {
                target = $2
                sub(/\.dir\/.*/, "", target)
                sub(/\/CMakeFiles\//, "  ", target)
            }
            file = $2
            sub(/CMakeFiles\/[^\/]*\.dir\//, "", file)
            spent[target] += used
            objects[target]++
            cost[file] += used
            sum += used
        }
        END {
            printf "processor time: %d s = %.1f min, of which %d s in compilers and linkers\n", total, total / 60, sum
            print "\n  seconds   share  objects  folder and target"
            by_target = "sort -k1,1nr"
            for (target in spent) printf "%s %8d  %s\n", cell(spent[target]), objects[target], target | by_target
            close(by_target)
            print "\n  seconds   share  the most expensive (a batch: see the file in the build folder)"
            by_file = "sort -k1,1nr | head -n 25"
            for (file in cost) printf "%s  %s\n", cell(cost[file]), file | by_file
            close(by_file)
        }' "$1"
}

# profile_build PRESET [TARGET...]: full build in a separate folder without ccache; prints the profile.
profile_build() {
    preset=$1
    shift
    folder=$checkout/build/profile-$preset
    log=$folder/processor_times
    rm -rf "$folder"
    mkdir -p "$folder"
    launcher="$tools/internal/processor_time;$log"
    say "configuring $preset in build/profile-$preset"
    "$tools/env" cmake --preset "$preset" -B "$folder" --log-level=NOTICE \
        "-DCMAKE_CXX_COMPILER_LAUNCHER=$launcher" "-DCMAKE_CXX_LINKER_LAUNCHER=$launcher" \
        >"$folder/configure.log" 2>&1 </dev/null || {
        cat "$folder/configure.log" >&2
        fail "configuring $preset failed"
    }
    : >"$log"
    say "building $preset without ccache: ${*:-everything}"
    "$tools/env" cmake --build "$folder" --parallel "$(jobs)" ${1:+--target} "$@" </dev/null ||
        fail "building $preset failed"
    # Not in a substitution, because a subshell has its own times.
    times >"$folder/times"
    print_profile "$log" "$(children_seconds "$folder/times")"
}

# compile_command FILE: command of the preset dev, which uses neither batches nor precompiled headers.
compile_command() {
    awk -v file="$1" '
        /^  "command": / { command = $0; sub(/^  "command": "/, "", command); sub(/",?$/, "", command); gsub(/\\"/, "\"", command) }
        /^  "file": / && index($0, "\"" file "\"") { print command; exit }' "$checkout/build/dev/compile_commands.json"
}

# print_trace TRACE: output of Clang's -ftime-trace: phases, then the most expensive headers and templates. A header is a
# pair of lines, begin and end; everything else is a line with a duration.
print_trace() {
    sed 's/},{"pid"/}\n{"pid"/g' "$1" | awk '
        function text(key,    rest) {
            rest = $0
            return sub(".*\"" key "\":\"", "", rest) && sub(/".*/, "", rest) ? rest : ""
        }
        function number(key,    rest) {
            rest = $0
            return sub(".*\"" key "\":", "", rest) ? rest + 0 : 0
        }
        { name = text("name"); milliseconds = number("dur") / 1000 }
        name ~ /^Total (Frontend|Backend|ParseClass|InstantiateFunction|InstantiateClass|Source|OptModule|ExecuteCompiler)$/ {
            printf "%8d ms  %s\n", milliseconds, substr(name, 7)
        }
        name ~ /^Instantiate/ { spent[substr(name, 12) "  " substr(text("detail"), 1, 100)] += milliseconds }
        name == "Source" && text("ph") == "b" { header = text("detail"); begun = number("ts") }
        name == "Source" && text("ph") == "e" { spent["Header  " header] += (number("ts") - begun) / 1000 }
        END {
            print "\nheaders with what they include, templates with what they use:"
            largest = "sort -k1,1nr | head -n 40"
            for (each in spent) printf "%8d ms  %s\n", spent[each], each | largest
            close(largest)
        }'
}

# profile_file FILE: compiles FILE alone with Clang and prints its -ftime-trace profile.
profile_file() {
    source=$(readlink -f "$1") || fail "there is no file $1"
    "$tools/build" dev generated_headers >/dev/null
    command=$(compile_command "$source")
    [ -n "$command" ] || fail "$1 is not compiled by the preset dev"
    trace=$checkout/build/dev/time_trace
    mkdir -p "$trace"
    arguments=$(printf '%s' "$command" | sed -e 's/^.*\(g++\|c++\) -/-/' -e 's/ -o [^ ]*//')
    (cd "$checkout/build/dev" &&
        eval "\"$tools/env\" clang++ -O2 -w $arguments -ftime-trace -ftime-trace-granularity=2000 -o '$trace/file.o'") ||
        fail "Clang does not compile $1"
    print_trace "$trace/file.json"
}
