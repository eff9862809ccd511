// Fuzzes the commands of the debugger on a small program: each line is one command.
#include "app/tasks/debug/command_text.h"
#include "app/tasks/debug/debug_commands.h"
#include "app/tasks/debug/debugger.h"
#include "app/tasks/model/model.h"
#include "tests/fuzz/support/byte_source.h"
#include "tests/fuzz/support/lines.h"
#include "tests/support/program_file.h"
#include "tests/support/scratch_folder.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <ranges>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;
namespace tasks = et::tasks;
using et::fuzz::require;

/// A program that adds two tensors, as a file.
fs::path programFile() {
    static const et::test::ScratchFolder folder;
    const fs::path path = folder.path() / "add.pte";
    const std::vector<std::byte> bytes = et::test::writeProgram(et::test::addProgram());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
}

std::unique_ptr<tasks::Debugger> makeDebugger(const tasks::DebugSettings& settings) {
    auto model = tasks::Model::open(settings.model, settings.options, nullptr);
    require(model.has_value());
    auto timeline = tasks::Timeline::make(std::move(*model), {.budgetBytes = settings.budgetBytes});
    require(timeline.has_value());
    auto debugger = tasks::Debugger::make(std::move(*timeline), nullptr, nullptr);
    require(debugger.has_value());
    return std::move(*debugger);
}

/// Commands that write files or load libraries.
bool isExcluded(std::string_view line) {
    constexpr std::array<std::string_view, 3> names{"save", "dump", "swap"};
    const auto command = tasks::findCommand(tasks::takeWord(line));
    return command && std::ranges::contains(names, (*command)->name);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fs::path program = programFile();
    const tasks::DebugSettings settings{.model = program, .options = {}, .recording = {}};
    const auto debugger = makeDebugger(settings);
    tasks::CommandContext context{.debugger = *debugger, .settings = settings};
    constexpr std::ptrdiff_t maxLines = 64;
    const auto lines = et::fuzz::linesOf({reinterpret_cast<const char*>(data), size});
    for (const std::string_view line : lines | std::views::take(maxLines)) {
        if (isExcluded(line)) {
            continue;
        }
        const auto answer = tasks::runLine(context, line);
        std::ignore = tasks::completionsOf(context, line);
        if (answer && !answer->content) {
            std::ignore = answer->content.error().toString();
        }
        if (answer && answer->quits) {
            break;
        }
    }
    return 0;
}
