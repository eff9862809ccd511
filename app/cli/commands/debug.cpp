#include "app/cli/commands/commands.h"
#include "app/cli/dap/adapter.h"
#include "app/cli/interruption_report.h"
#include "app/cli/output_options.h"
#include "app/cli/prompt.h"
#include "app/output/debug/debug_text.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/debug/debug_commands.h"
#include "app/tasks/debug/debug_process.h"
#include "app/tasks/debug/debug_settings.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

using core::Result;
using tasks::ExitCode;

/// The session that SIGINT interrupts.
std::atomic<tasks::DebugProcess*> interruptedSession = nullptr;

extern "C" void interruptSession(int) {
    if (tasks::DebugProcess* const session = interruptedSession.load()) {
        session->interrupt();
    }
}

/// While it exists, Ctrl-C ends the running command of a session instead of the session.
class InterruptsCommands {
  public:
    explicit InterruptsCommands(tasks::DebugProcess& session) {
        interruptedSession = &session;
        struct sigaction action{};
        action.sa_handler = interruptSession;
        ::sigaction(SIGINT, &action, &before);
    }
    InterruptsCommands(const InterruptsCommands&) = delete;
    InterruptsCommands& operator=(const InterruptsCommands&) = delete;
    ~InterruptsCommands() {
        ::sigaction(SIGINT, &before, nullptr);
        interruptedSession = nullptr;
    }

  private:
    struct sigaction before{};
};

/// Runs a program step by step at a prompt.
class DebugCommandLine final : public Command {
  public:
    DebugCommandLine()
        : Command("debug", "Step through a run, also backwards, and stop at the first wrong value") {}

    [[nodiscard]] std::string details() const override {
        return "Commands are named as in gdb and are read from stdin, --execute or --script; 'help' lists "
               "them. With --format json every command answers with one line of JSON. Going back restores a "
               "snapshot and runs again from there. The model runs in a separate process: if it crashes, "
               "the session names the instruction and continues. Ctrl-C ends the running command. A script "
               "ends at its first error, with the exit code of that error.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override {
        Glossary listed{.title = "Commands", .terms = {}};
        for (const tasks::DebugCommand& each : tasks::debugCommands()) {
            listed.terms.push_back({std::string(each.form), std::string(each.meaning)});
        }
        return {listed};
    }
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect debug model.pte model.etrecord -x 'watch own_error' -x run",
             "Stop at the first operator that is wrong by itself"},
            {"et-inspect debug model.pte --input x.npy", "Step through a run with this input"},
            {"et-inspect debug model.pte --script commands.txt --format json", "Run commands from a file"},
            {"et-inspect debug --dap", "Serve an editor that supports the Debug Adapter Protocol"}};
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    [[nodiscard]] bool isJson() const { return format == OutputFormat::Json; }
    [[nodiscard]] Result<ExitCode> runScript(Console& console, tasks::DebugProcess& session) const;
    [[nodiscard]] Result<ExitCode> runPrompt(Console& console, tasks::DebugProcess& session) const;
    /// Prints the answer to a line. Errors: those of the session.
    [[nodiscard]] Result<std::optional<tasks::DebugReply>> answer(Console& console,
                                                                  tasks::DebugProcess& session,
                                                                  std::string_view line) const;

    tasks::DebugSettings settings;
    std::vector<std::string> commands;
    std::filesystem::path script;
    OutputFormat format = OutputFormat::Text;
    bool isAdapter = false;
};

void DebugCommandLine::addOptions(OptionList& options) {
    tasks::addDebugOptions(options, settings);
    options.group("Commands");
    options.text("-x,--execute COMMAND", commands, "Run this command first (repeatable)");
    options.file("--script", script, "Run the commands in this file, one a line, and end");
    options.flag("--dap", isAdapter, "Serve the Debug Adapter Protocol on stdin and stdout");
    options.group("Output");
    addFormat(options, format, {OutputFormat::Text, OutputFormat::Json});
}

Result<std::optional<tasks::DebugReply>> DebugCommandLine::answer(Console& console,
                                                                  tasks::DebugProcess& session,
                                                                  std::string_view line) const {
    ET_ASSIGN(auto reply, session.run(line));
    if (!reply) {
        return reply;
    }
    if (reply->error && !isJson()) {
        console.complain(reply->error->toString());
    } else {
        ET_TRY(console.out(reply->text));
    }
    return reply;
}

Result<ExitCode> DebugCommandLine::runScript(Console& console, tasks::DebugProcess& session) const {
    std::vector<std::string> lines = commands;
    if (!script.empty()) {
        ET_ASSIGN(const auto file, core::MappedFile::open(script));
        std::istringstream text{std::string(core::textOf(file->bytes()))};
        for (std::string line; std::getline(text, line);) {
            lines.push_back(std::move(line));
        }
    }
    for (const std::string& line : lines) {
        ET_ASSIGN(const auto reply, answer(console, session, line));
        if (reply && reply->error) {
            return tasks::exitCode(reply->error->code);
        }
        if (reply && reply->quits) {
            break;
        }
    }
    return ExitCode::Fine;
}

Result<ExitCode> DebugCommandLine::runPrompt(Console& console, tasks::DebugProcess& session) const {
    const bool hasTerminal = !isJson() && ::isatty(STDIN_FILENO) != 0 && console.outIsTerminal();
    const std::unique_ptr<Prompt> prompt =
        Prompt::make("debug", hasTerminal, [&](std::string_view line) { return session.complete(line); });
    const InterruptsCommands interrupts(session);
    std::string last;
    while (!tasks::InterruptionGuard::requested()) {
        ET_ASSIGN(const Prompt::Input input, prompt->read());
        if (input.event == Prompt::Event::End) {
            break;
        }
        if (input.event == Prompt::Event::Interrupted) {
            continue;
        }
        // As in gdb, an empty line repeats the last command.
        const bool isEmpty = input.line.find_first_not_of(" \t\r") == std::string::npos;
        const std::string line = isEmpty && hasTerminal ? last : input.line;
        ET_ASSIGN(const auto reply, answer(console, session, line));
        if (reply && reply->quits) {
            break;
        }
        last = line;
    }
    return ExitCode::Fine;
}

Result<ExitCode> DebugCommandLine::run(const Invocation& invocation) {
    Console& console = invocation.console;
    if (isAdapter) {
        return fineAfter(dap::runAdapter());
    }
    if (settings.model.empty()) {
        return core::fail(core::ErrorCode::InvalidArgument,
                          "MODEL is required; see 'et-inspect debug --help'");
    }
    const tasks::InterruptionGuard guard;
    const bool colour = !isJson() && console.wantsColour();
    console.expectColours(colour);
    ET_ASSIGN(const auto session, tasks::DebugProcess::start(
                                      settings, [json = isJson(), colour](const Result<tasks::Dict>& answer) {
                                          return json     ? output::debugJson(answer)
                                                 : answer ? output::debugText(*answer, colour)
                                                          : std::string();
                                      }));
    if (!session->sandboxLack().empty()) {
        console.warn(session->sandboxLack());
    }
    const bool isScript = !script.empty();
    ET_ASSIGN(const ExitCode code, runScript(console, *session));
    if (code != ExitCode::Fine || isScript) {
        return unlessInterrupted(console, code);
    }
    ET_ASSIGN(const ExitCode end, runPrompt(console, *session));
    return unlessInterrupted(console, end);
}

}  // namespace

const CommandFactory makeDebugCommand = newCommand<DebugCommandLine>;

}  // namespace et::cli
