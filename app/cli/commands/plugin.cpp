#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/tasks/plugin/plugin_build.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace et::cli {
namespace {

using core::Result;

/// Compiles plugins from code written for ExecuTorch.
class PluginCommand final : public Command {
  public:
    PluginCommand()
        : Command("plugin", "Compile kernels and backends written for ExecuTorch into a plugin") {}

    [[nodiscard]] std::string details() const override {
        return "Kernels may be registered by EXECUTORCH_LIBRARY, register_kernels() or generated code, "
               "backends by register_backend(). The compiler is $CXX or c++, with C++17 unless --flag "
               "selects another standard. Code that needs more headers than et-inspect has can use a "
               "checkout of ExecuTorch: pass the folder that contains it with -I.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override { return {actionGlossary(actions())}; }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect plugin build my_kernels.cpp -o libmine.so", "Compile a plugin"},
            {"et-inspect run model.pte --plugin ./libmine.so", "Use it"},
            {"et-inspect plugin build op_a.cpp op_b.cpp -o libops.so -I src -D NDEBUG --flag=-march=native",
             "Pass folders, definitions and compiler flags"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override {
        ET_TRY(checkFolders());  // compilers ignore a folder that is missing
        return runAction(*this, actions(), action, arguments.size(), invocation);
    }

  private:
    static std::span<const Action<PluginCommand>> actions();

    [[nodiscard]] Result<> checkFolders() const;
    [[nodiscard]] Result<tasks::ExitCode> build(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> sources(const Invocation& invocation);

    std::string action;
    std::vector<std::string> arguments;
    tasks::PluginBuild settings;
};

std::span<const Action<PluginCommand>> PluginCommand::actions() {
    static constexpr std::size_t many = 10'000;
    static constexpr std::array table{
        Action<PluginCommand>{"build", "SOURCE...: compile C++ files", 1, many, "a source file",
                              &PluginCommand::build},
        Action<PluginCommand>{"sources", "DIR: write the headers, the adapter and a CMake target", 1, 1,
                              "a folder", &PluginCommand::sources},
    };
    return table;
}

void PluginCommand::addOptions(OptionList& options) {
    addActionArgument(options, actions(), action);
    options.text("ARGUMENT", arguments, "Source files, folder").takes("ARG");
    options.path("-o,--output", settings.output, "Plugin to write (default: lib<first source>.so)");
    options.group("Compiler");
    options.file("-I,--include", settings.includes, "Folder to search for headers (repeatable)").takes("DIR");
    options.text("-D,--define NAME[=VALUE]", settings.definitions, "Macro to define (repeatable)");
    options.text("--flag FLAG", settings.flags, "Flag of the compiler: --flag=-O3 (repeatable)");
}

Result<> PluginCommand::checkFolders() const {
    for (const std::filesystem::path& each : settings.includes) {
        std::error_code failed;
        if (!std::filesystem::is_directory(each, failed)) {
            return core::fail(core::ErrorCode::InvalidArgument,
                              fmt::format("--include {}: not a folder", core::printable(each.string())));
        }
    }
    return {};
}

Result<tasks::ExitCode> PluginCommand::build(const Invocation& invocation) {
    settings.sources.assign(arguments.begin(), arguments.end());
    ET_ASSIGN(const tasks::BuiltPlugin built, tasks::buildPlugin(settings));
    std::string text = built.path.string() + "\n";
    for (const std::string& each : built.kernels) {
        text += fmt::format("  kernel   {}\n", core::printable(each));
    }
    for (const std::string& each : built.backends) {
        text += fmt::format("  backend  {}\n", core::printable(each));
    }
    return fineAfter(invocation.console.out(text));
}

Result<tasks::ExitCode> PluginCommand::sources(const Invocation&) {
    if (!settings.includes.empty() || !settings.definitions.empty() || !settings.flags.empty() ||
        !settings.output.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "sources has no options: expected 'plugin sources DIR'");
    }
    return fineAfter(tasks::writePluginSources(arguments[0]));
}

}  // namespace

const CommandFactory makePluginCommand = newCommand<PluginCommand>;

}  // namespace et::cli
