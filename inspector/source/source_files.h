#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

// Finds Python files by their paths at export. Paths come from a file and may be arbitrary: only regular
// files of limited size are ever read.
namespace et::inspector {

/// Maps a folder of the exporting machine to a local folder.
struct PathMapping {
    std::string from;
    std::string to;
    bool operator==(const PathMapping&) const = default;
};

/// Finds the local file: by the mapping with the longest matching `from`, at its own path, or below one of
/// `folders`, with as many of its own folders as exist there. Nothing: not found.
[[nodiscard]] std::optional<std::filesystem::path> findSource(std::string_view recorded,
                                                              std::span<const PathMapping> mappings,
                                                              std::span<const std::filesystem::path> folders);

/// Derives the mapping from a recorded path to a file by removing their common suffix.
[[nodiscard]] PathMapping mappingBetween(std::string_view recorded, const std::filesystem::path& found);

/// Maximum size of a source file in bytes.
inline constexpr std::uint64_t longestSource = std::uint64_t{4} << 20;

/// Errors: Io (cannot be opened, not a regular file), Limit (longer than longestSource).
[[nodiscard]] core::Result<std::string> readSource(const std::filesystem::path& file);

}  // namespace et::inspector
