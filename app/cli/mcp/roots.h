#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli::mcp {

/// Folders of the files that a client may name.
class Roots {
  public:
    /// `given` are those of the command line; without any, the current folder, unless it is "/".
    [[nodiscard]] static Roots make(const std::vector<std::string>& given);

    /// Restricts the files to folders that a client named; without --root, these replace the current folder.
    /// URIs of other kinds than file:// are ignored.
    void setClientRoots(const std::vector<std::string>& uris);

    /// The path of an existing file or folder without symbolic links. Relative paths start at the first root.
    /// Errors: InvalidArgument (outside of the roots), NotFound.
    [[nodiscard]] core::Result<std::filesystem::path> existing(std::string_view path) const;
    /// The path of a file to create. Errors: InvalidArgument (outside of the roots; it exists; its folder
    /// does not).
    [[nodiscard]] core::Result<std::filesystem::path> creatable(std::string_view path) const;

    /// Whether --root was given.
    [[nodiscard]] bool areGiven() const { return hasOwn; }

  private:
    [[nodiscard]] core::Result<std::filesystem::path> absolute(std::string_view path) const;
    [[nodiscard]] core::Result<> check(const std::filesystem::path& canonical, std::string_view path) const;

    std::vector<std::filesystem::path> own;
    std::optional<std::vector<std::filesystem::path>> client;
    bool hasOwn = false;
};

/// The path of a "file://" URI; empty for others.
[[nodiscard]] std::optional<std::filesystem::path> pathOfUri(std::string_view uri);

}  // namespace et::cli::mcp
