#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace et::architecture {

/// The checkout that this test was built from.
[[nodiscard]] std::filesystem::path checkout();

/// A file of the project, by its path relative to the root ("etdump/trace.h"), with its text.
struct SourceFile {
    std::string path;
    std::string text;
};

/// One #include: the text between the quotes or brackets.
struct Include {
    std::string target;
    bool quoted = false;
    std::size_t line = 0;  ///< from 1
};

[[nodiscard]] std::vector<Include> includesOf(std::string_view text);

/// Returns all files below `root` whose names end with one of `endings`, sorted; build trees and hidden
/// folders are skipped.
[[nodiscard]] std::vector<SourceFile> readTree(const std::filesystem::path& root,
                                               const std::vector<std::string_view>& endings);

/// Returns the C++ sources and headers of a tree.
[[nodiscard]] std::vector<SourceFile> readSources(const std::filesystem::path& root);

/// Returns the folders directly below `root` that contain C++ sources.
[[nodiscard]] std::vector<std::string> sourceFolders(const std::vector<SourceFile>& sources);

}  // namespace et::architecture
