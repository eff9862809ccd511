#pragma once

#include "app/cli/command_doc.h"
#include "app/cli/console.h"
#include "app/cli/options.h"
#include "app/tasks/base/exit_code.h"
#include "runtime/core/result.h"

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::cli {

/// Context of a command's execution.
struct Invocation {
    Console& console;
    std::function<CommandDoc()> documentation;  ///< of the whole program, for commands that print it
};

/// A command of et-inspect. To add one, write a class in commands/<command>.cpp, declare its factory in
/// commands/commands.h, and add it to a group in command_line.cpp; help, man page and completions follow.
class Command {
  public:
    Command() = default;
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;
    virtual ~Command() = default;

    /// The name that the user types; empty for the command that runs if none is named.
    [[nodiscard]] virtual std::string_view name() const = 0;
    /// One line for the list of commands, starting with a capital, without a full stop.
    [[nodiscard]] virtual std::string_view summary() const = 0;
    /// Paragraphs below the options in --help and in the man page, with full stops.
    [[nodiscard]] virtual std::string details() const { return {}; }
    /// Terms that the options refer to.
    [[nodiscard]] virtual std::vector<Glossary> glossaries() const { return {}; }
    [[nodiscard]] virtual std::vector<Example> examples() const { return {}; }
    /// True if the command works but is omitted from help and completions.
    [[nodiscard]] virtual bool hidden() const { return false; }

    /// Declares options bound to members of the command.
    virtual void addOptions(OptionList& options) = 0;
    /// Runs the command after its options were parsed. An error becomes one line on stderr and its exit code.
    [[nodiscard]] virtual core::Result<tasks::ExitCode> run(const Invocation& invocation) = 0;
};

}  // namespace et::cli
