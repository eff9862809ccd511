#include "app/tasks/compare/sides.h"

#include "app/tasks/base/option_list.h"
#include "inspector/session/artifact.h"
#include "inspector/session/session.h"
#include "inspector/store/baseline_store.h"
#include "inspector/store/store_location.h"

#include <fmt/format.h>

#include <optional>
#include <system_error>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::FileKind;
using core::Result;
using inspector::store::BaselineStore;

/// Returns the kind of a file, or nothing if it does not exist.
Result<std::optional<FileKind>> kindOf(const std::string& argument) {
    std::error_code unknown;
    // A dangling or circular link is an unreadable file.
    if (fs::symlink_status(argument, unknown).type() == fs::file_type::not_found) {
        return std::nullopt;
    }
    ET_ASSIGN(const auto file, inspector::RecognizedFile::open(argument));
    if (file.file->bytes().empty()) {
        return fail(ErrorCode::Format, "the file is empty", {.file = argument, .field = {}, .offset = {}});
    }
    return file.kind;
}

Result<SideKind> sideKind(std::optional<FileKind> kind, const std::string& argument) {
    if (!kind) {
        return SideKind::Baseline;
    }
    if (*kind == FileKind::Trace || *kind == FileKind::Profile) {
        return SideKind::Trace;
    }
    if (*kind == FileKind::Program || *kind == FileKind::BundledProgram || *kind == FileKind::Package) {
        return SideKind::Program;
    }
    const bool named = *kind != FileKind::Unknown && *kind != FileKind::Database;
    return fail(
        ErrorCode::Format,
        fmt::format("expected a trace or a program, got {}", named ? core::fileKindName(*kind) : "neither"),
        {.file = argument, .field = {}, .offset = {}});
}

Result<std::shared_ptr<const inspector::EventBlocks>> blocksOf(const Side& side,
                                                               const inspector::TraceClock& clock,
                                                               const std::string& method, bool byPhase) {
    const inspector::JoinOptions join{.clock = clock,
                                      .target = clock.target(inspector::TimeScale::Nanoseconds),
                                      .method = side.record.empty() ? std::string() : method,
                                      .byPhase = byPhase};
    ET_ASSIGN(const auto session,
              inspector::Session::open({.trace = side.name, .record = side.record, .debugBuffer = {}}, join));
    return session->blocks;
}

Result<inspector::Measurement> measurementOf(const Side& side, const inspector::EventBlocks& blocks) {
    inspector::Measurement measurement = inspector::makeMeasurement(blocks, side.name);
    if (measurement.methods.empty()) {
        return fail(ErrorCode::Format, "the trace contains no execution of a method",
                    {.file = side.name, .field = {}, .offset = {}});
    }
    return measurement;
}

}  // namespace

Result<fs::path> baselineFile(const fs::path& asked) {
    return asked.empty() ? BaselineStore::defaultPath() : Result<fs::path>(asked);
}

Result<std::vector<Side>> findSides(std::span<const std::string> arguments) {
    std::vector<Side> sides;
    for (const std::string& argument : arguments) {
        ET_ASSIGN(const auto kind, kindOf(argument));
        if (kind != FileKind::Record) {
            ET_ASSIGN(const SideKind side, sideKind(kind, argument));
            sides.push_back({.kind = side, .name = argument, .record = {}});
            continue;
        }
        if (sides.empty()) {
            return fail(ErrorCode::InvalidArgument, "an ETRecord must follow its trace or program",
                        {.file = argument, .field = {}, .offset = {}});
        }
        for (Side& side : sides) {
            side.record = side.record.empty() ? fs::path(argument) : side.record;
        }
    }
    return sides;
}

Result<inspector::Measurement> openTrace(const Side& side, const inspector::TraceClock& clock,
                                         const std::string& method) {
    ET_ASSIGN(const auto blocks, blocksOf(side, clock, method, false));
    return measurementOf(side, *blocks);
}

Result<TraceTimes> openTraceTimes(const Side& side, const inspector::TraceClock& clock,
                                  const std::string& method) {
    ET_ASSIGN(const auto blocks, blocksOf(side, clock, method, false));
    TraceTimes times;
    ET_ASSIGN(times.whole, measurementOf(side, *blocks));
    if (blocks->phases().known()) {
        ET_ASSIGN(const auto phases, blocksOf(side, clock, method, true));
        ET_ASSIGN(times.byPhase, measurementOf(side, *phases));
    }
    return times;
}

Result<inspector::Measurement> openBaseline(const Side& side, const fs::path& store) {
    ET_ASSIGN(const fs::path path, baselineFile(store));
    if (inspector::store::isMissing(path)) {
        return fail(ErrorCode::NotFound, fmt::format("no such file, and no baselines at {}", path.string()),
                    {.file = side.name, .field = {}, .offset = {}});
    }
    ET_ASSIGN(const auto opened, BaselineStore::open(path, {.mode = inspector::store::OpenMode::Reading}));
    return opened.load(side.name);
}

void addStoreOption(OptionList& options, fs::path& store) {
    options.path("--store", store,
                 "File of the store, or postgresql://HOST/DATABASE (default: et-inspect/baselines.db in "
                 "XDG_DATA_HOME or ~/.local/share)");
}

}  // namespace et::tasks
