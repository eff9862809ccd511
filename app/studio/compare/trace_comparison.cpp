#include "app/studio/compare/trace_comparison.h"

#include "inspector/store/baseline_store.h"
#include "visualizers/toolkit/text.h"

#include <utility>

namespace et::studio {

namespace {

namespace fs = std::filesystem;
using core::Result;
using inspector::Measurement;
using inspector::store::BaselineStore;
using inspector::store::OpenMode;

std::shared_ptr<const Measurement> measured(const ComparisonSide& side) {
    return side.baseline ? side.baseline
                         : std::make_shared<const Measurement>(inspector::makeMeasurement(
                               *side.session->blocks, side.session->files.trace.string()));
}

/// Opens an existing store; does not create one.
Result<BaselineStore> openStore(const fs::path& file) {
    if (!file.empty()) {
        return BaselineStore::open(file, {.mode = OpenMode::Reading});
    }
    ET_ASSIGN(const fs::path usual, BaselineStore::defaultPath());
    return BaselineStore::open(usual, {.mode = OpenMode::Reading});
}

}  // namespace

ComparisonOutcome compareSides(const ComparisonSide& a, const ComparisonSide& b,
                               const inspector::ComparisonOptions& options) {
    auto made = inspector::compareMeasurements(measured(a), measured(b), options);
    return made ? ComparisonOutcome{*std::move(made), {}}
                : ComparisonOutcome{nullptr, visualizers::toQString(made.error().toString())};
}

Result<std::vector<std::string>> baselineNames(const fs::path& file) {
    ET_ASSIGN(const BaselineStore store, openStore(file));
    ET_ASSIGN(const auto entries, store.list());
    std::vector<std::string> names;
    for (const auto& each : entries) {
        names.push_back(each.name);
    }
    if (names.empty()) {
        return core::fail(core::ErrorCode::NotFound,
                          "no baselines yet; create one with 'et-inspect baseline save NAME TRACE'",
                          {.file = store.file(), .field = {}, .offset = {}});
    }
    return names;
}

Result<std::shared_ptr<const Measurement>> loadBaseline(const fs::path& file, const std::string& name) {
    ET_ASSIGN(const BaselineStore store, openStore(file));
    ET_ASSIGN(Measurement measurement, store.load(name));
    return std::make_shared<const Measurement>(std::move(measurement));
}

}  // namespace et::studio
