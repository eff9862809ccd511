#include "app/tasks/compare/baseline_save.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/compare/sides.h"
#include "inspector/session/artifact.h"

#include <fmt/format.h>

#include <span>
#include <utility>

namespace et::tasks {
namespace {

namespace fs = std::filesystem;
using core::ErrorCode;
using core::fail;
using core::Result;
using inspector::Measurement;
using inspector::store::BaselineStore;

/// Returns the program or trace among the files, with the record if there is one.
Result<Side> sideToSave(const BaselineSettings& settings) {
    fs::path record = settings.record;
    std::vector<std::string> others;
    for (const fs::path& each : settings.files) {
        ET_ASSIGN(const auto file, inspector::RecognizedFile::open(each));
        if (file.kind == core::FileKind::Record) {
            record = each;
        } else {
            others.push_back(each.string());
        }
    }
    if (others.size() != 1) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("baseline save: expected one program or trace, got {}", others.size()));
    }
    ET_ASSIGN(std::vector<Side> sides, findSides(others));
    sides.front().record = std::move(record);
    return std::move(sides.front());
}

Result<Measurement> measureSide(const Side& side, const BaselineSettings& settings,
                                const ProgressOptions& progress) {
    if (side.kind == SideKind::Trace) {
        return openTrace(side, settings.clock, settings.model.method);
    }
    const ProgramToMeasure program{.file = side.name, .record = side.record};
    ET_ASSIGN(std::vector<MeasuredProgram> measured,
              measurePrograms(std::span(&program, 1), settings.model, settings.measure, progress));
    return std::move(measured.front().measurement);
}

}  // namespace

Result<std::vector<std::string>> saveBaseline(const BaselineSettings& settings,
                                              const ProgressOptions& progress) {
    ET_ASSIGN(const Side side, sideToSave(settings));
    ET_ASSIGN(Measurement measured, measureSide(side, settings, progress));
    if (InterruptionGuard::cause() != Interruption::None) {
        return fail(ErrorCode::Cancelled, "stopped before everything was measured");
    }
    ET_ASSIGN(const fs::path path, baselineFile(settings.store));
    ET_ASSIGN(BaselineStore store, BaselineStore::open(path, {.mode = inspector::store::OpenMode::Create}));
    ET_TRY(store.save(settings.name, measured, settings.existing));
    return std::move(measured.warnings);
}

}  // namespace et::tasks
