#pragma once

#include "inspector/comparison/comparison.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <QString>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::studio {

/// One side of a comparison: a session with a trace, or a baseline. Both null: none.
struct ComparisonSide {
    std::shared_ptr<const inspector::Session> session;
    std::shared_ptr<const inspector::Measurement> baseline;

    [[nodiscard]] bool empty() const { return session == nullptr && baseline == nullptr; }
};

/// Result of comparing two sides.
struct ComparisonOutcome {
    std::shared_ptr<const inspector::Comparison> comparison;  ///< null: not comparable
    QString problem;                                          ///< why not
};

/// Compares two sides, neither of which may be empty. Not for the GUI thread: computing the intervals takes a
/// while.
[[nodiscard]] ComparisonOutcome compareSides(const ComparisonSide& a, const ComparisonSide& b,
                                             const inspector::ComparisonOptions& options);

// Baselines of `et-inspect baseline`, by name. `file`: path of the store; empty: the default store.
/// Errors: NotFound (the store does not exist), those of the store.
[[nodiscard]] core::Result<std::vector<std::string>> baselineNames(const std::filesystem::path& file);
/// Errors: NotFound (the message lists the baselines), those of the store.
[[nodiscard]] core::Result<std::shared_ptr<const inspector::Measurement>> loadBaseline(
    const std::filesystem::path& file, const std::string& name);

}  // namespace et::studio
