#pragma once

#include "runtime/core/result.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Compiles kernels and backends that are written for ExecuTorch's headers into a plugin.
namespace et::tasks {

/// A file of runtime/plugin.
struct PluginSource {
    std::string_view path;  ///< "include/executorch/runtime/core/error.h"
    std::string_view text;
};

/// The headers and the adapter, which are part of the program.
[[nodiscard]] std::span<const PluginSource> pluginSources();

/// Writes them below a folder, with a CMakeLists.txt. Errors: Io.
[[nodiscard]] core::Result<> writePluginSources(const std::filesystem::path& folder);

struct PluginBuild {
    std::vector<std::filesystem::path> sources;
    std::filesystem::path output;  ///< empty: named after the first source, in the current folder
    std::vector<std::filesystem::path> includes;
    std::vector<std::string> definitions;  ///< "NAME" or "NAME=VALUE"
    std::vector<std::string> flags;        ///< of the compiler and linker
};

struct BuiltPlugin {
    std::filesystem::path path;
    std::vector<std::string> kernels;
    std::vector<std::string> backends;
};

/// Runs $CXX or c++, whose messages go to stderr, and loads the result. Errors: InvalidArgument (the compiler
/// failed), NotFound (no compiler, no source), Io, those of Plugin::load().
[[nodiscard]] core::Result<BuiltPlugin> buildPlugin(const PluginBuild& build);

}  // namespace et::tasks
