#include "app/cli/actions.h"
#include "app/cli/commands/commands.h"
#include "app/cli/option_types.h"
#include "app/cli/options/progress_options.h"
#include "app/cli/output_options.h"
#include "app/cli/session/session_input.h"
#include "app/cli/version.h"
#include "app/pages/info/info_text.h"
#include "app/pages/session/session_info.h"
#include "app/tasks/run/interruption.h"
#include "app/tasks/run/watch.h"
#include "app/tasks/verify/report_json.h"
#include "backends/builtin.h"
#include "inspector/format/json_text.h"
#include "inspector/numeric_gap/gap_report.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
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

enum class SessionFormat : std::uint8_t { Table, Json };
constexpr std::array formats{Word{"table", SessionFormat::Table}, Word{"json", SessionFormat::Json}};

constexpr std::int64_t schema = 1;

/// Keeps files that belong together, and what is known of them, in one.
class SessionVerb final : public Verb {
  public:
    [[nodiscard]] std::string_view name() const override { return "session"; }
    [[nodiscard]] std::string_view summary() const override {
        return "Save files that belong together as one session, look into one, add notes, take the files out";
    }
    [[nodiscard]] std::string details() const override {
        return "A session is one SQLite file with everything in it: the files, whole, and all that they say "
               "as "
               "tables for 'et-inspect sql', so that it opens on any machine. 'et-inspect table', 'sql' and "
               "'report' and the studio take it in place of files; for others, 'extract' gives the files "
               "back. "
               "It is written whole or not at all.";
    }
    [[nodiscard]] std::vector<Glossary> glossaries() const override;
    [[nodiscard]] std::vector<Example> examples() const override {
        return {
            {"et-inspect session save model.pte model.etrecord trace.etdp -o model.db",
             "Program, record and trace as one file"},
            {"et-inspect session save model.bpte trace.etdp --verify verdicts.json -o model.db",
             "With what became of the tests: 'et-inspect verify --format json'"},
            {"et-inspect session show model.db", "What is in it"},
            {"et-inspect session note model.db \"slow since Monday\" --instruction 12",
             "A note to an operator"},
            {"et-inspect session extract model.db -o folder", "The files again"},
        };
    }
    void addOptions(CLI::App& app) override;
    [[nodiscard]] Result<ExitCode> run(const Invocation& invocation) override;

  private:
    static std::span<const Action<SessionVerb>> actions();

    [[nodiscard]] Result<ExitCode> save(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> show(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> note(const Invocation& invocation);
    [[nodiscard]] Result<ExitCode> extract(const Invocation& invocation);
    /// What goes into a session besides its files.
    struct Known {
        std::optional<inspector::GapReport> gap{};
        std::vector<bundled_program::CaseReport> verdicts{};
        std::vector<Note> notes{};
    };
    /// As the options say; notes and verdicts of a session that is saved again stay.
    [[nodiscard]] Result<Known> readKnown(const inspector::Session& session,
                                          const std::optional<SessionStore>& store) const;
    [[nodiscard]] Result<> write(Console& console, Watch& watch);
    [[nodiscard]] Note noteOf(std::string text) const;

    std::string action;
    std::vector<std::string> arguments;
    SessionInput input;
    fs::path gap;
    fs::path verdicts;
    std::vector<std::string> notes;
    std::string noteMethod;
    std::optional<std::int32_t> noteInstruction;
    std::optional<std::int64_t> noteHandle;
    SessionFormat format = SessionFormat::Table;
    OutputOptions output;
    ProgressOptions progress;
};

std::span<const Action<SessionVerb>> SessionVerb::actions() {
    static constexpr std::size_t any = 64;
    static constexpr std::array table{
        Action<SessionVerb>{"save",
                            "FILE... -o SESSION: files of any mix that belong together, as one session", 1,
                            any, "files", &SessionVerb::save},
        Action<SessionVerb>{"show", "SESSION: its files, tables and notes", 1, 1, "one session",
                            &SessionVerb::show},
        Action<SessionVerb>{"note", "SESSION TEXT: add a note", 2, 2, "a session and a text",
                            &SessionVerb::note},
        Action<SessionVerb>{"extract", "SESSION -o DIR: write its files into a folder", 1, 1, "one session",
                            &SessionVerb::extract},
    };
    return table;
}

std::vector<Glossary> SessionVerb::glossaries() const {
    return {actionGlossary(actions())};
}

void SessionVerb::addOptions(CLI::App& app) {
    addActionArgument(app, actions(), action);
    app.add_option("ARGUMENT", arguments, "Files, or a session")->type_name("ARG");
    app.option_defaults()->group("Saving");
    addJoinOptions(app, input);
    app.add_option("--gap", gap,
                   "Numeric gap to keep with the files: what 'et-inspect gap --format json' printed")
        ->type_name(fileValue);
    app.add_option("--verify", verdicts,
                   "Verdicts of the bundled program's cases to keep: what 'et-inspect verify --format json' "
                   "printed")
        ->type_name(fileValue);
    addRepeatable(app, "--note", notes, "Note to the session")->type_name("TEXT");
    app.option_defaults()->group("Notes");
    app.add_option("--note-method", noteMethod, "Method of the operator that the note is about")
        ->type_name("NAME");
    app.add_option("--instruction", noteInstruction, "Instruction of the operator")->type_name("N");
    app.add_option("--debug-handle", noteHandle, "Debug handle of the operator")->type_name("N");
    app.option_defaults()->group("Output");
    addChoice(app, "--format", format, formats, "How show prints (default: table)");
    addOutputOptions(app, output);
    addProgressOptions(app, progress);
}

Result<ExitCode> SessionVerb::run(const Invocation& invocation) {
    return runAction(*this, actions(), action, arguments.size(), invocation);
}

Note SessionVerb::noteOf(std::string text) const {
    Note note{.text = std::move(text), .method = noteMethod};
    note.instruction = noteInstruction.transform([](std::int32_t id) { return core::InstructionId(id); });
    note.debugHandle = noteHandle.transform([](std::int64_t id) { return core::DebugHandle(id); });
    return note;
}

/// The text of a file, which `opened` keeps.
std::string_view textOf(const core::MappedFile& opened) {
    const core::Bytes bytes = opened.bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<inspector::GapReport> readGap(const fs::path& path) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    auto read = inspector::readGapJson(textOf(*file));
    if (!read) {
        return std::unexpected(std::move(read).error().in(path.string()));
    }
    return read;
}

/// The verdicts of the cases of the session's bundle.
Result<std::vector<bundled_program::CaseReport>> readVerdicts(const fs::path& path,
                                                              const inspector::Session& session) {
    if (session.bundle == nullptr) {
        return fail(ErrorCode::InvalidArgument, "verdicts are of a bundled program, which is not here",
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    auto read = readVerifyJson(textOf(*file));
    if (!read) {
        return std::unexpected(std::move(read).error().in(path.string()));
    }
    for (const bundled_program::CaseReport& each : read->cases) {
        const bool known =
            std::ranges::any_of(session.bundle->suites, [&](const bundled_program::TestSuite& suite) {
                return suite.method == each.method && each.index < suite.cases.size();
            });
        if (!known) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected verdicts of \"{}\", got case {} of \"{}\", which it has not",
                                    session.files.bundle.filename().string(), each.index, each.method),
                        {.file = path.string(), .field = "cases", .offset = {}});
        }
    }
    return std::move(read->cases);
}

Result<SessionVerb::Known> SessionVerb::readKnown(const inspector::Session& session,
                                                  const std::optional<SessionStore>& store) const {
    Known known;
    if (!gap.empty()) {
        ET_ASSIGN(known.gap, readGap(gap));
    }
    if (store) {
        ET_ASSIGN(known.notes, store->notes());
    }
    if (!verdicts.empty()) {
        ET_ASSIGN(known.verdicts, readVerdicts(verdicts, session));
    } else if (store) {
        ET_ASSIGN(known.verdicts, store->verdicts());
    }
    for (const std::string& text : notes) {
        known.notes.push_back({.text = text});
    }
    return known;
}

Result<> SessionVerb::write(Console& console, Watch& watch) {
    watch.begin("read", 1);
    input.files.assign(arguments.begin(), arguments.end());
    ET_TRY(refuseToReplace(output.path, input.files));
    ET_ASSIGN(const auto store, findStore(input.files));
    ET_ASSIGN(const auto session, openInput(input, store, console));
    ET_ASSIGN(const Known known, readKnown(*session, store));
    watch.begin("save", 1);
    return inspector::store::saveSession(output.path, *session,
                                         {.backends = backends::describable(),
                                          .gap = known.gap ? &*known.gap : nullptr,
                                          .verdicts = known.verdicts,
                                          .notes = known.notes,
                                          .layout = {},
                                          .writer = fmt::format("et-inspect {}", version),
                                          .cancel = &InterruptionGuard::requested()});
}

Result<ExitCode> SessionVerb::save(const Invocation& invocation) {
    if (output.toStdout()) {
        return fail(ErrorCode::InvalidArgument, "session save: expected -o FILE: a session is no text");
    }
    const InterruptionGuard guard;
    Watch watch(progress, std::nullopt);
    const Result<> written = write(invocation.console, watch);
    watch.finish();
    if (!written && written.error().code == ErrorCode::Cancelled) {
        const InterruptionInfo& end = infoOf(InterruptionGuard::cause());
        invocation.console.complain(fmt::format("{}: nothing was saved", end.message));
        return end.code;
    }
    ET_TRY(written);
    return ExitCode::Fine;
}

Result<ExitCode> SessionVerb::show(const Invocation& invocation) {
    const fs::path path = arguments.front();
    ET_ASSIGN(const SessionStore store, SessionStore::open(path));
    ET_ASSIGN(inspector::report::Dict found, sessionInfo(store));
    std::string text;
    if (format == SessionFormat::Json) {
        found.insert(found.begin(), {"schema", schema});
        inspector::report::appendJson(text, inspector::report::Cell(std::move(found)));
        text += "\n";
    } else {
        text = infoText(found, 0);
    }
    ET_TRY(deliver(invocation.console, output, producerOf(text), {path}));
    return ExitCode::Fine;
}

Result<ExitCode> SessionVerb::note(const Invocation&) {
    ET_TRY(inspector::store::addNote(arguments.front(), noteOf(arguments.back())));
    return ExitCode::Fine;
}

Result<ExitCode> SessionVerb::extract(const Invocation& invocation) {
    if (output.toStdout()) {
        return fail(ErrorCode::InvalidArgument, "session extract: expected -o DIR, a folder for the files");
    }
    ET_ASSIGN(const SessionStore store, SessionStore::open(arguments.front()));
    ET_TRY(store.extract(output.path));
    std::string text;
    for (const inspector::store::StoredFile& file : store.files()) {
        text += terminalSafe((fs::path(output.path) / file.name).string()) + "\n";
    }
    ET_TRY(invocation.console.out(text));
    return ExitCode::Fine;
}

}  // namespace

std::unique_ptr<Verb> makeSessionVerb() {
    return std::make_unique<SessionVerb>();
}

}  // namespace et::cli
