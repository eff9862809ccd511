#include "app/cli/compare/sides.h"

#include "app/cli/command_doc.h"
#include "inspector/session/artifact.h"
#include "inspector/session/session.h"
#include "inspector/store/baseline_store.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <system_error>

namespace et::cli {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::ArtifactKind;
using inspector::store::BaselineStore;

}  // namespace

Result<fs::path> StoreOptions::file() const {
    return path.empty() ? BaselineStore::defaultPath() : Result<fs::path>(path);
}

void addStoreOption(CLI::App& app, StoreOptions& options) {
    app.add_option("--store", options.path,
                   "File that has the baselines (default: et-inspect/baselines.db in XDG_DATA_HOME, or in "
                   "~/.local/share)")
        ->type_name(fileValue);
}

Result<Side> findSide(const std::string& word) {
    std::error_code unknown;
    if (!fs::exists(word, unknown)) {
        return Side{.kind = SideKind::Baseline, .word = word, .record = {}};
    }
    ET_ASSIGN(const auto file, core::MappedFile::open(word));
    const ArtifactKind kind = inspector::detectArtifact(file->bytes());
    if (kind == ArtifactKind::Trace) {
        return Side{.kind = SideKind::Trace, .word = word, .record = {}};
    }
    if (kind == ArtifactKind::Program || kind == ArtifactKind::BundledProgram) {
        return Side{.kind = SideKind::Program, .word = word, .record = {}};
    }
    return fail(ErrorCode::Format,
                file->bytes().empty()
                    ? "the file is empty"
                    : fmt::format("expected a trace or a program, got {}",
                                  kind == ArtifactKind::Unknown ? "neither" : inspector::artifactName(kind)),
                {.file = word, .field = {}, .offset = {}});
}

Result<inspector::Measurement> openTrace(const Side& side, inspector::TimeScale scale,
                                         const std::string& method) {
    using inspector::TimeScale;
    const inspector::JoinOptions join{
        .source = scale,
        .target = scale == TimeScale::Cycles ? TimeScale::Cycles : TimeScale::Nanoseconds,
        .method = side.record.empty() ? std::string() : method};
    ET_ASSIGN(const auto session,
              inspector::Session::open({.trace = side.word, .record = side.record, .debugBuffer = {}}, join));
    inspector::Measurement measurement = inspector::measurementOf(*session->blocks, side.word);
    if (measurement.methods.empty()) {
        return fail(ErrorCode::Format, "the trace has no execution of a method",
                    {.file = side.word, .field = {}, .offset = {}});
    }
    return measurement;
}

Result<inspector::Measurement> openBaseline(const Side& side, const StoreOptions& options) {
    ET_ASSIGN(const fs::path path, options.file());
    const auto missing = [&] {
        return fail(ErrorCode::NotFound, fmt::format("no such file, and no baselines at {}", path.string()),
                    {.file = side.word, .field = {}, .offset = {}});
    };
    std::error_code unknown;
    if (!fs::exists(path, unknown)) {
        return missing();
    }
    ET_ASSIGN(const auto store, BaselineStore::open(path, {.mode = inspector::store::OpenMode::Existing}));
    return store.load(side.word);
}

}  // namespace et::cli
