#include "app/studio/compare/trace_comparison.h"

#include "visualizers/text.h"

#include <utility>

namespace et::studio {

ComparisonOutcome compareTraces(const inspector::Session& a, const inspector::Session& b,
                                const inspector::ComparisonOptions& options) {
    const auto measured = [](const inspector::Session& session) {
        return std::make_shared<const inspector::Measurement>(
            inspector::measurementOf(*session.blocks, session.files.trace.string()));
    };
    auto made = inspector::compareMeasurements(measured(a), measured(b), options);
    return made ? ComparisonOutcome{*std::move(made), {}}
                : ComparisonOutcome{nullptr, visualizers::toQString(made.error().toString())};
}

}  // namespace et::studio
