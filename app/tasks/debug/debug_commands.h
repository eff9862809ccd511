#pragma once

#include "app/tasks/debug/debug_info.h"
#include "app/tasks/debug/debug_settings.h"
#include "app/tasks/debug/debugger.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The commands of the debugger's prompt, named as in gdb.
namespace et::tasks {

/// A recording for `file`, which this process may not be allowed to write; empty: none.
struct SavedRecording {
    std::string file{};
    std::vector<std::byte> bytes{};
};

/// State of a session that commands read and change.
struct CommandContext {
    Debugger& debugger;
    const DebugSettings& settings;
    std::vector<std::string> inputs{};  ///< of the last `run` or `start`, as given
    std::string method{};               ///< of the next execution; empty: the default
    std::string begun{};                ///< `start` lines of the executions that the command began
    bool isReset = false;               ///< the command forgot all executions
    SavedRecording saved{};             ///< by the command
    std::string definition{};           ///< line that repeats the command's lasting effect; empty: as given
    DebugProgress* progress = nullptr;  ///< also receives `begun`, in case the process dies; may be null
};

/// Lasting effect of a command, which a new process has after a crash. Edit: the branches of the recording,
/// and which is the current one.
enum class CommandEffect : std::uint8_t { None, Definition, Edit };

using CommandHandler = core::Result<Dict> (*)(CommandContext& context, std::string_view arguments);

struct DebugCommand {
    std::string_view name;
    std::string_view abbreviation;  ///< besides unique beginnings; may be empty
    std::string_view form;          ///< "break LOCATION [if CONDITION] [ignore N]"
    std::string_view meaning;
    std::string_view example;
    CommandEffect effect;
    CommandHandler run;
};
[[nodiscard]] std::span<const DebugCommand> debugCommands();
/// Errors: InvalidArgument (no such command, or several; suggests similar ones).
[[nodiscard]] core::Result<const DebugCommand*> findCommand(std::string_view word);

struct DebugAnswer {
    core::Result<Dict> content;  ///< {"stop": ...}, {"value": ...}, {"info": ...}
    bool quits = false;
    std::string definition{};  ///< line that repeats its lasting effect; empty: it has none
    bool isEdit = false;       ///< as CommandEffect::Edit
    std::string begun{};       ///< as CommandContext
    bool isReset = false;
    SavedRecording saved{};
    std::string plugin{};  ///< library whose kernels are to be used from now on, in a new process
};

/// Runs one line of text. A line without a command has no answer. Errors are in the answer.
[[nodiscard]] std::optional<DebugAnswer> runLine(CommandContext& context, std::string_view line);
/// Completions of the last word of a line.
[[nodiscard]] std::vector<std::string> completionsOf(CommandContext& context, std::string_view line);

/// Errors: InvalidArgument (nothing has run yet).
[[nodiscard]] core::Result<> requireExecution(const CommandContext& context);
/// The method of the last stop; before the first, the one that would run. Errors: those of chooseMethod().
[[nodiscard]] core::Result<const MethodIndex*> currentMethod(const CommandContext& context);
/// A whole number of at least 0. Errors: InvalidArgument (names the command).
[[nodiscard]] core::Result<std::uint64_t> wholeArgument(std::string_view command, std::string_view text);

// Handlers, by topic.
namespace debug_commands {

[[nodiscard]] core::Result<Dict> addBreakpoint(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> addTemporary(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> addWatchpoint(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> setCondition(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> setIgnore(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> enable(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> disable(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> removeStops(CommandContext& context, std::string_view arguments);

[[nodiscard]] core::Result<Dict> run(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> start(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> resume(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> step(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> next(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> finish(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> until(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> jump(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> reverseStep(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> reverseNext(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> reverseFinish(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> reverseResume(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> where(CommandContext& context, std::string_view arguments);

[[nodiscard]] core::Result<Dict> print(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> info(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> list(CommandContext& context, std::string_view arguments);

[[nodiscard]] core::Result<Dict> setValue(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> skip(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> force(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> branch(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> diff(CommandContext& context, std::string_view arguments);
[[nodiscard]] core::Result<Dict> save(CommandContext& context, std::string_view arguments);

/// Topics of `info`.
[[nodiscard]] std::span<const std::string_view> infoTopics();

}  // namespace debug_commands
}  // namespace et::tasks
