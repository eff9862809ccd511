# Reads tests/fuzz/readers.txt and the output of `llvm-cov export -format=lcov` for each target. Prints lines and coverage by
# reader, over all targets, and the lines not reached. `root`: folder of the checkout; `all`: also list readers with no
# line reached.
NR == FNR {
    at = index($0, ": ")
    if (!/^#/ && at > 0) {
        readers[++count] = substr($0, 1, at - 1)
        paths[count] = substr($0, at + 2)
    }
    next
}

# Number of the file's reader; 0 if none.
function readerOf(file, i, n, part, parts) {
    for (i = 1; i <= count; ++i) {
        n = split(paths[i], parts, " ")
        for (part = 1; part <= n; ++part) {
            if (index(file, parts[part]) == 1) {
                return i
            }
        }
    }
    return 0
}

/^SF:/ {
    file = substr($0, 4)
    sub(/^.*\/build\/[^\/]*\/\.\.\/\.\.\//, "", file)
    if (index(file, root "/") == 1) {
        file = substr(file, length(root) + 2)
    }
    if (!(file in readerIn)) {
        readerIn[file] = readerOf(file)
        if (readerIn[file]) {
            files[++fileCount] = file
        }
    }
}

/^DA:/ && readerIn[file] {
    split(substr($0, 4), numbers, ",")
    line = numbers[1] + 0
    hits[file, line] += numbers[2]
    if (line > last[file]) {
        last[file] = line
    }
}

# Lines of a file that no target reached, as "3-5 9".
function unreached(file, line, first, text) {
    for (line = 1; line <= last[file] + 1; ++line) {
        missed = ((file, line) in hits) && hits[file, line] == 0
        if (missed && !first) {
            first = line
        } else if (!missed && first) {
            text = text " " (first == line - 1 ? first : first "-" line - 1)
            first = 0
        }
    }
    return text
}

END {
    for (key in hits) {
        split(key, parts, SUBSEP)
        ++lines[readerIn[parts[1]]]
        reached[readerIn[parts[1]]] += hits[key] > 0
    }
    for (i = 1; i <= count; ++i) {
        if (lines[i] == 0 || (reached[i] == 0 && !all)) {
            continue
        }
        printf "%-24s %5d lines, %5.1f %% reached\n", readers[i], lines[i], 100 * reached[i] / lines[i]
        for (at = 1; at <= fileCount; ++at) {
            text = readerIn[files[at]] == i ? unreached(files[at]) : ""
            if (text != "") {
                print "    " files[at] ":" text
            }
        }
    }
}
