# The C++ files of the project. Sourced; runs in $checkout.

# cpp_sources: tracked and new files that git does not ignore, NUL-terminated; without git, all except build/.
cpp_sources() {
    if [ -e .git ] && command -v git >/dev/null; then
        git -c safe.directory='*' ls-files -z --cached --others --exclude-standard -- '*.cpp' '*.h' | existing
    else
        find . -path ./build -prune -o \( -name '*.cpp' -o -name '*.h' \) -print0
    fi
}

# changed_sources COMMIT: files that differ from COMMIT, or from HEAD if COMMIT does not exist.
changed_sources() {
    {
        git -c safe.directory='*' diff -z --name-only --diff-filter=d "$1" -- '*.cpp' '*.h' 2>/dev/null ||
            git -c safe.directory='*' diff -z --name-only --diff-filter=d HEAD -- '*.cpp' '*.h'
        git -c safe.directory='*' ls-files -z --others --exclude-standard -- '*.cpp' '*.h'
    } | existing
}

# existing: removes deleted files that are still in git's index.
existing() {
    xargs -0 -r sh -c 'for file; do [ ! -f "$file" ] || printf "%s\0" "$file"; done' sh
}
