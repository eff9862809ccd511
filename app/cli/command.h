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
    Command(const Command&) = delete;
    Command& operator=(const Command&) = delete;
    virtual ~Command() = default;

    [[nodiscard]] std::string_view name() const { return nameText; }
    [[nodiscard]] std::string_view summary() const { return summaryText; }
    [[nodiscard]] bool isHidden() const { return isOmitted; }

    /// Paragraphs below the options in --help and in the man page, with full stops.
    [[nodiscard]] virtual std::string details() const { return {}; }
    /// Terms that the options refer to.
    [[nodiscard]] virtual std::vector<Glossary> glossaries() const { return {}; }
    [[nodiscard]] virtual std::vector<Example> examples() const { return {}; }

    /// Declares options bound to members of the command.
    virtual void addOptions(OptionList& options) = 0;
    /// Runs the command after its options were parsed. An error becomes one line on stderr and its exit code.
    [[nodiscard]] virtual core::Result<tasks::ExitCode> run(const Invocation& invocation) = 0;

  protected:
    /// `called` is the name that the user types, empty for the command that runs if none is named; `does` is
    /// its line in the list of commands, starting with a capital, without a full stop. A hidden command works
    /// but is omitted from help and completions.
    Command(std::string_view called, std::string_view does, bool hidden = false)
        : nameText(called), summaryText(does), isOmitted(hidden) {}

  private:
    std::string_view nameText;
    std::string_view summaryText;
    bool isOmitted;
};

/// Returns Fine, or the error.
[[nodiscard]] inline core::Result<tasks::ExitCode> fineAfter(const core::Result<>& done) {
    return done.transform([] { return tasks::ExitCode::Fine; });
}

using CommandFactory = std::unique_ptr<Command> (*)();

template <class T>
[[nodiscard]] std::unique_ptr<Command> newCommand() {
    return std::make_unique<T>();
}

}  // namespace et::cli
