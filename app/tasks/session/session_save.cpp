#include "app/tasks/session/session_save.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/verify/report_json.h"
#include "backends/builtin.h"
#include "inspector/numeric_gap/gap_report.h"
#include "runtime/core/mapped_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::store::Note;
using inspector::store::Replace;
using inspector::store::SessionStore;

/// Additional content of a session besides its files.
struct Known {
    std::optional<inspector::GapReport> gap{};
    std::vector<bundled_program::CaseReport> verdicts{};
    std::vector<Note> notes{};
};

Result<inspector::GapReport> readGap(const fs::path& path) {
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    auto read = inspector::readGapJson(core::textOf(file->bytes()));
    if (!read) {
        return std::unexpected(std::move(read).error().in(path.string()));
    }
    return read;
}

/// Reads the verdicts for the cases of the session's bundle.
Result<std::vector<bundled_program::CaseReport>> readVerdicts(const fs::path& path,
                                                              const inspector::Session& session) {
    if (session.bundle == nullptr) {
        return fail(ErrorCode::InvalidArgument,
                    "verdicts require a bundled program, and the session has none",
                    {.file = path.string(), .field = {}, .offset = {}});
    }
    ET_ASSIGN(const auto file, core::MappedFile::open(path));
    auto read = readVerifyJson(core::textOf(file->bytes()));
    if (!read) {
        return std::unexpected(std::move(read).error().in(path.string()));
    }
    for (const bundled_program::CaseReport& each : read->cases) {
        const bool known =
            std::ranges::any_of(session.bundle->suites, [&](const bundled_program::TestSuite& suite) {
                return suite.method == each.method && each.index < suite.cases.size();
            });
        if (!known) {
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("expected verdicts of \"{}\", got case {} of \"{}\", which it does not contain",
                            session.files.bundle.filename().string(), each.index, each.method),
                {.file = path.string(), .field = "cases", .offset = {}});
        }
    }
    return std::move(read->cases);
}

Result<Known> readKnown(const SaveSettings& settings, const inspector::Session& session,
                        const std::optional<SessionStore>& store) {
    Known known;
    if (!settings.gap.empty()) {
        ET_ASSIGN(known.gap, readGap(settings.gap));
    }
    if (store) {
        ET_ASSIGN(known.notes, store->notes());
    }
    if (!settings.verdicts.empty()) {
        ET_ASSIGN(known.verdicts, readVerdicts(settings.verdicts, session));
    } else if (store) {
        ET_ASSIGN(known.verdicts, store->verdicts());
    }
    for (const std::string& text : settings.notes) {
        known.notes.push_back({.text = text});
    }
    return known;
}

}  // namespace

Result<std::vector<std::string>> saveSession(const SaveSettings& settings, ProgressReporter& watch) {
    watch.begin("read", 1);
    ET_TRY(refuseToReplace(settings.output, settings.input.files));
    ET_ASSIGN(const SessionSource source, SessionSource::open(settings.input.files));
    ET_ASSIGN(OpenedSession opened, openInput(settings.input.join, source, inspector::SessionScope::Tensors));
    ET_ASSIGN(const Known known, readKnown(settings, *opened.session, source.store));
    watch.begin("save", 1);
    ET_TRY(inspector::store::saveSession(settings.output, *opened.session,
                                         {.backends = backends::describable(),
                                          .gap = known.gap ? &*known.gap : nullptr,
                                          .verdicts = known.verdicts,
                                          .notes = known.notes,
                                          .layout = {},
                                          .writer = settings.writer,
                                          .cancel = &InterruptionGuard::requested(),
                                          .replace = settings.force ? Replace::Anything : Replace::NoNotes}));
    return std::move(opened.warnings);
}

}  // namespace et::tasks
