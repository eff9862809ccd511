#pragma once

#include "inspector/comparison/comparison.h"
#include "inspector/session.h"

#include <QString>

#include <memory>

namespace et::studio {

/// What became of comparing two traces.
struct ComparisonOutcome {
    std::shared_ptr<const inspector::Comparison> comparison;  ///< null: they cannot be compared
    QString problem;                                          ///< why not
};

/// Compares two sessions that have a trace. The intervals take a moment: not for the GUI thread.
[[nodiscard]] ComparisonOutcome compareTraces(const inspector::Session& a, const inspector::Session& b,
                                              const inspector::ComparisonOptions& options);

}  // namespace et::studio
