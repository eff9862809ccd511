#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Python files by the paths that they had where the model was exported. Paths come from a file and may be
// anything: only regular files of a moderate size are ever read.
namespace et::inspector {

/// A folder of the machine that exported, and where it is here.
struct PathMapping {
    std::string from;
    std::string to;
    bool operator==(const PathMapping&) const = default;
};

/// Where a file is here: by the mapping with the longest fitting `from`, at its own path, or below one of
/// `folders` with as many of its folders as are there. Nothing: not found.
[[nodiscard]] std::optional<std::filesystem::path> findSource(std::string_view recorded,
                                                              std::span<const PathMapping> mappings,
                                                              std::span<const std::filesystem::path> folders);

/// The mapping that leads from a recorded path to a file: what their ends have in common is cut off.
[[nodiscard]] PathMapping mappingBetween(std::string_view recorded, const std::filesystem::path& found);

/// Most bytes of a source file.
inline constexpr std::uint64_t longestSource = std::uint64_t{4} << 20;

/// Errors: Io (cannot be opened, is no regular file), Limit (longer than longestSource).
[[nodiscard]] core::Result<std::string> readSource(const std::filesystem::path& file);

}  // namespace et::inspector
