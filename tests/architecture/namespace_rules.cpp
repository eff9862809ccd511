#include "tests/architecture/namespace_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <ranges>
#include <string_view>

namespace et::architecture {
namespace {

using Names = std::vector<std::string>;

/// Folders with a namespace of their own inside that of their parent.
constexpr std::array<std::string_view, 3> namedFolders{"inspector/events/", "inspector/format/",
                                                       "inspector/store/"};

Names split(std::string_view text, std::string_view separator) {
    Names parts;
    for (const auto part : std::views::split(text, separator)) {
        parts.emplace_back(std::string_view(part));
    }
    return parts;
}

/// Folder names of a file, without those that have no namespace: {"tasks", "run"} for app/tasks/run/x.cpp.
Names foldersOf(const std::string& path) {
    Names folders = split(path, "/");
    folders.pop_back();
    if (!folders.empty() && (folders.front() == "app" || folders.front() == "runtime")) {
        folders.erase(folders.begin());
    }
    std::erase(folders, "detail");
    return folders;
}

/// True if the block that starts at `at` contains only declarations such as "class X;".
bool onlyDeclaresTypes(std::string_view text, std::size_t at) {
    const std::size_t end = text.find("\n}", at);
    for (const std::string& line : split(text.substr(at, end - at), "\n")) {
        if (!line.empty() && !line.starts_with("class ") && !line.starts_with("struct ") &&
            !line.starts_with("enum class ") && !line.starts_with("//")) {
            return false;
        }
        if (line.ends_with('{')) {
            return false;
        }
    }
    return true;
}

/// Shared by tables and by joined traces, whose namespace it is in.
constexpr std::array<std::string_view, 3> timeScales{
    "inspector/format/time_scale.h", "inspector/format/trace_clock.cpp", "inspector/format/trace_clock.h"};

bool belongs(const Names& names, const SourceFile& file) {
    const Names folders = foldersOf(file.path);
    if (folders.empty() || names.front() != folders.front()) {
        return false;
    }
    if (!std::ranges::contains(timeScales, file.path) &&
        std::ranges::any_of(namedFolders, [&](std::string_view f) { return file.path.starts_with(f); }) &&
        (names.size() < 2 || names[1] != folders[1])) {
        return false;
    }
    const auto detail = std::ranges::find(names, "detail");
    return detail == names.end() || *std::prev(detail) == folders.back();
}

}  // namespace

std::vector<std::string> namespaceViolations(const SourceFile& file) {
    constexpr std::string_view opening = "\nnamespace et::";
    std::vector<std::string> violations;
    for (std::size_t at = file.text.find(opening); at != std::string::npos;
         at = file.text.find(opening, at + 1)) {
        const std::size_t start = at + opening.size();
        const std::size_t end = file.text.find(" {\n", start);
        const std::string_view name = std::string_view(file.text).substr(start, end - start);
        if (name.contains('\n') || belongs(split(name, "::"), file) ||
            onlyDeclaresTypes(file.text, end + 3)) {
            continue;
        }
        violations.push_back(fmt::format("{}: et::{} is not the namespace of its folder", file.path, name));
    }
    return violations;
}

}  // namespace et::architecture
