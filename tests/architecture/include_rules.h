#pragma once

#include "tests/architecture/source_tree.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::architecture {

/// Where files may include from. Paths are prefixes ("runtime/core/"); "*" is everything but tests.
struct ArrowRule {
    std::string_view from;
    std::vector<std::string_view> to;
};

/// The include arrows of the project: the longest matching `from` counts.
[[nodiscard]] std::span<const ArrowRule> arrowRules();

/// The folders that may see Qt, as prefixes.
[[nodiscard]] std::span<const std::string_view> qtFolders();

[[nodiscard]] bool startsWithAny(std::string_view path, std::span<const std::string_view> prefixes);

/// Says whether a path from the root names a file of the project.
using FileExists = std::function<bool(const std::string&)>;

/// What is wrong with the includes of a file, a line each: "etdump/trace.cpp:3: …". Empty: nothing.
[[nodiscard]] std::vector<std::string> includeViolations(const SourceFile& file, const FileExists& exists);

}  // namespace et::architecture
