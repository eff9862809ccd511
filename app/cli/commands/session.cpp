#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/cli/interruption_report.h"
#include "app/cli/output_options.h"
#include "app/cli/version.h"
#include "app/output/info/info_text.h"
#include "app/output/session/session_info.h"
#include "app/tasks/base/interruption.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/session/session_input.h"
#include "app/tasks/session/session_save.h"
#include "inspector/format/json_text.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::store::Note;
using inspector::store::SessionStore;

constexpr std::int64_t sessionSchema = 1;

/// Saves related files and their derived tables in one session file.
class SessionCommand final : public Command {
  public:
    SessionCommand()
        : Command("session", "Save related files as one session; show it, add notes, extract the files") {}

    [[nodiscard]] std::string details() const override {
        return "A session is one SQLite file that contains the files themselves and their content as tables "
               "for 'et-inspect sql', so it opens on any machine. Commands and et-studio accept it in place "
               "of the files in it: MODEL is then its bundled program or program, with its ETRecord, "
               "external weights and trace. 'extract' restores the files.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect session save model.pte model.etrecord trace.etdp -o model.db",
             "Save program, ETRecord and trace as one file"},
            {"et-inspect session save model.bpte trace.etdp --verify verdicts.json -o model.db",
             "Include test results from 'et-inspect verify --format json'"},
            {"et-inspect session show model.db", "Show its content"},
            {"et-inspect session note model.db \"slow since Monday\" --instruction 12",
             "Add a note to an operator"},
            {"et-inspect session extract model.db -o folder", "Restore the files"},
        };
    }
    void addOptions(OptionList& options) override;
    [[nodiscard]] Result<tasks::ExitCode> run(const Invocation& invocation) override;

  private:
    static std::span<const Action<SessionCommand>> actions();

    [[nodiscard]] Result<tasks::ExitCode> save(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> show(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> note(const Invocation& invocation);
    [[nodiscard]] Result<tasks::ExitCode> extract(const Invocation& invocation);
    [[nodiscard]] Note makeNote(std::string text) const;

    std::string action;
    std::vector<std::string> arguments;
    tasks::SaveSettings settings;
    std::string noteMethod;
    std::optional<std::int32_t> noteInstruction;
    std::optional<std::int64_t> noteHandle;
    OutputFormat format = OutputFormat::Table;
    OutputOptions output;
    tasks::ProgressOptions progress;
};

std::span<const Action<SessionCommand>> SessionCommand::actions() {
    static constexpr std::size_t any = 64;
    static constexpr std::array table{
        Action<SessionCommand>{"save", "FILE... -o SESSION: save related files as one session", 1, any,
                               "files", &SessionCommand::save},
        Action<SessionCommand>{"show", "SESSION: show its files, tables and notes", 1, 1, "one session",
                               &SessionCommand::show},
        Action<SessionCommand>{"note", "SESSION TEXT: add a note", 2, 2, "a session and a text",
                               &SessionCommand::note},
        Action<SessionCommand>{"extract", "SESSION -o DIR: write its files to a folder", 1, 1, "one session",
                               &SessionCommand::extract},
    };
    return table;
}

std::vector<Glossary> SessionCommand::glossaries() const {
    return {actionGlossary(actions())};
}

void SessionCommand::addOptions(OptionList& options) {
    addActionArgument(options, actions(), action);
    options.text("ARGUMENT", arguments, "Files, or a session").takes("ARG");
    options.group("Saving");
    addJoinOptions(options, settings.input.join);
    options.file("--gap", settings.gap, "Numeric gap to include, written by 'et-inspect gap --format json'");
    options.file("--verify", settings.verdicts,
                 "Test results to include, written by 'et-inspect verify --format json'");
    options.text("--note", settings.notes, "Note on the session (repeatable)");
    options.group("Notes");
    options.text("--note-method NAME", noteMethod, "Method of the operator for the note");
    options.integer("--instruction", noteInstruction, "Instruction of the operator for the note");
    options.integer("--debug-handle", noteHandle, "Debug handle of the operator for the note");
    options.group("Output");
    options.flag("--force", settings.force,
                 "Replace a session with notes (save), or existing files (extract)");
    addFormat(options, format, {OutputFormat::Table, OutputFormat::Json}, "Output format of show");
    addOutputOptions(options, output);
    addProgressOptions(options, progress);
}

Result<tasks::ExitCode> SessionCommand::run(const Invocation& invocation) {
    return runAction(*this, actions(), action, arguments.size(), invocation);
}

Note SessionCommand::makeNote(std::string text) const {
    Note note{.text = std::move(text), .method = noteMethod};
    note.instruction = noteInstruction.transform([](std::int32_t id) { return core::InstructionId(id); });
    note.debugHandle = noteHandle.transform([](std::int64_t id) { return core::DebugHandle(id); });
    return note;
}

Result<tasks::ExitCode> SessionCommand::save(const Invocation& invocation) {
    if (output.toStdout()) {
        return fail(ErrorCode::InvalidArgument, "session save: expected -o FILE");
    }
    settings.input.files.assign(arguments.begin(), arguments.end());
    settings.output = output.path;
    settings.writer = fmt::format("et-inspect {}", version);
    const tasks::InterruptionGuard guard;
    tasks::ProgressReporter watch(progress, std::nullopt);
    const auto warnings = tasks::saveSession(settings, watch);
    watch.finish();
    if (!warnings && warnings.error().code == ErrorCode::Cancelled) {
        return reportInterruption(invocation.console, "nothing was saved");
    }
    ET_TRY(warnings);
    invocation.console.warnAll(*warnings);
    return tasks::ExitCode::Fine;
}

Result<tasks::ExitCode> SessionCommand::show(const Invocation& invocation) {
    const fs::path path = arguments.front();
    ET_ASSIGN(const SessionStore store, SessionStore::open(path));
    ET_ASSIGN(const inspector::format::Dict found, output::sessionInfo(store));
    const std::string text = format == OutputFormat::Json
                                 ? inspector::format::jsonDocument(sessionSchema, found)
                                 : output::infoText(found, 0);
    return fineAfter(deliver(invocation.console, output, tasks::producerOf(text), {path}));
}

Result<tasks::ExitCode> SessionCommand::note(const Invocation&) {
    return fineAfter(inspector::store::addNote(arguments.front(), makeNote(arguments.back())));
}

Result<tasks::ExitCode> SessionCommand::extract(const Invocation& invocation) {
    if (output.toStdout()) {
        return fail(ErrorCode::InvalidArgument, "session extract: expected -o DIR");
    }
    ET_ASSIGN(const SessionStore store, SessionStore::open(arguments.front()));
    using inspector::store::Existing;
    ET_TRY(store.extract(output.path, settings.force ? Existing::Replace : Existing::Keep));
    std::string text;
    for (const inspector::store::StoredFile& file : store.files()) {
        text += terminalSafe((fs::path(output.path) / file.name).string()) + "\n";
    }
    return fineAfter(invocation.console.out(text));
}

}  // namespace

const CommandFactory makeSessionCommand = newCommand<SessionCommand>;

}  // namespace et::cli
