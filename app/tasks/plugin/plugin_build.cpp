#include "app/tasks/plugin/plugin_build.h"

#include "runtime/core/child_process.h"
#include "runtime/executor/plugin.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;

using core::ErrorCode;
using core::Result;

/// A new folder that is removed with its contents.
class BuildFolder {
  public:
    static Result<BuildFolder> make() {
        std::error_code error;
        std::string name = (fs::temp_directory_path(error) / "et-inspect-plugin-XXXXXX").string();
        if (error || ::mkdtemp(name.data()) == nullptr) {
            return core::fail(ErrorCode::Io, "cannot create a temporary folder", {.file = name});
        }
        return BuildFolder(name);
    }
    BuildFolder(BuildFolder&& other) noexcept : folder(std::exchange(other.folder, {})) {}
    BuildFolder& operator=(BuildFolder&&) = delete;
    BuildFolder(const BuildFolder&) = delete;
    BuildFolder& operator=(const BuildFolder&) = delete;
    ~BuildFolder() {
        if (!folder.empty()) {
            std::error_code ignored;
            fs::remove_all(folder, ignored);
        }
    }
    [[nodiscard]] const fs::path& path() const { return folder; }

  private:
    explicit BuildFolder(fs::path made) : folder(std::move(made)) {}

    fs::path folder;
};

/// The words of $CXX, as in "ccache g++".
std::vector<std::string> compiler() {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
    const char* const chosen = std::getenv("CXX");
    std::vector<std::string> words;
    std::string word;
    for (const char letter : std::string(chosen == nullptr ? "" : chosen) + " ") {
        if (letter != ' ') {
            word += letter;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    return words.empty() ? std::vector<std::string>{"c++"} : words;
}

std::vector<std::string> compileCommand(const PluginBuild& build, const fs::path& folder,
                                        const fs::path& output) {
    std::vector<std::string> words = compiler();
    for (const char* const flag :
         {"-std=c++17", "-O2", "-g", "-fPIC", "-fvisibility=hidden", "-shared", "-pthread"}) {
        words.emplace_back(flag);
    }
    words.push_back("-I" + (folder / "include").string());
    for (const fs::path& each : build.includes) {
        words.push_back("-I" + each.string());
    }
    for (const std::string& each : build.definitions) {
        words.push_back("-D" + each);
    }
    for (const fs::path& each : build.sources) {
        words.push_back(each.string());
    }
    for (const PluginSource& each : pluginSources()) {
        if (each.path.starts_with("adapter/") && each.path.ends_with(".cpp")) {
            words.push_back((folder / each.path).string());
        }
    }
    words.insert(words.end(), {"-o", output.string()});
    words.insert(words.end(), build.flags.begin(), build.flags.end());
    return words;
}

/// Runs a program found in PATH.
Result<> runCompiler(std::vector<std::string> words) {
    const std::string name = words.front();
    words.insert(words.begin(), "env");
    ET_ASSIGN(
        core::ChildProcess process,
        core::ChildProcess::spawn({.program = "/usr/bin/env",
                                   .argv = std::move(words),
                                   .redirections = {{.number = 1, .from = 2}, {.number = 2, .from = 2}}}));
    const core::ProcessEnd end = process.end(std::chrono::hours(1));
    constexpr int notFound = 127;
    if (end.code == notFound) {
        return core::fail(ErrorCode::NotFound,
                          fmt::format("no compiler \"{}\": install one, or set CXX", core::printable(name)));
    }
    return end == core::ProcessEnd()
               ? Result<>()
               : core::fail(ErrorCode::InvalidArgument,
                            fmt::format("the compiler reported errors (see above): {}", core::endText(end)));
}

}  // namespace

Result<> writePluginSources(const fs::path& folder) {
    for (const PluginSource& each : pluginSources()) {
        const fs::path path = folder / each.path;
        std::error_code error;
        fs::create_directories(path.parent_path(), error);
        std::ofstream file(path, std::ios::binary);
        file << each.text;
        file.close();
        if (error || !file) {
            return core::fail(ErrorCode::Io, "cannot write the file", {.file = path.string()});
        }
    }
    return {};
}

Result<BuiltPlugin> buildPlugin(const PluginBuild& build) {
    for (const fs::path& each : build.sources) {
        std::error_code error;
        if (!fs::is_regular_file(each, error)) {
            return core::fail(ErrorCode::NotFound, "no such source file", {.file = each.string()});
        }
    }
    const fs::path output =
        build.output.empty() ? fs::path("lib" + build.sources.front().stem().string() + ".so") : build.output;
    ET_ASSIGN(const BuildFolder folder, BuildFolder::make());
    ET_TRY(writePluginSources(folder.path()));
    ET_TRY(runCompiler(compileCommand(build, folder.path(), output)));
    ET_ASSIGN(const executor::Plugin plugin, executor::Plugin::load(output));
    BuiltPlugin built{.path = output, .kernels = {}, .backends = {}};
    for (const kernels::KernelEntry& each : plugin.kernels()) {
        built.kernels.emplace_back(each.name);
    }
    for (const executor::Backend* const each : plugin.backends()) {
        built.backends.emplace_back(each->name());
    }
    if (built.kernels.empty() && built.backends.empty()) {
        return core::fail(ErrorCode::InvalidArgument, "the library registers neither kernels nor backends",
                          {.file = output.string()});
    }
    return built;
}

}  // namespace et::tasks
