#pragma once

#include "tests/architecture/source_tree.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::architecture {

/// Allowed includes of a folder. Paths are prefixes ("runtime/core/"); "*" is everything except tests.
struct ArrowRule {
    std::string_view from;
    std::vector<std::string_view> to;
};

/// The include rules of the project; the longest matching `from` applies.
[[nodiscard]] std::span<const ArrowRule> arrowRules();

/// Folders that may include Qt, as prefixes.
[[nodiscard]] std::span<const std::string_view> qtFolders();

[[nodiscard]] bool startsWithAny(std::string_view path, std::span<const std::string_view> prefixes);

/// Returns whether a path relative to the root is a file of the project.
using FileExists = std::function<bool(const std::string&)>;

/// Include violations of a file, one line each: "etdump/trace.cpp:3: …". Empty if there are none.
[[nodiscard]] std::vector<std::string> includeViolations(const SourceFile& file, const FileExists& exists);

}  // namespace et::architecture
