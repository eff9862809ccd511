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

/// What became of comparing two sides.
struct ComparisonOutcome {
    std::shared_ptr<const inspector::Comparison> comparison;  ///< null: they cannot be compared
    QString problem;                                          ///< why not
};

/// Compares two sides, neither of them empty. The intervals take a moment: not for the GUI thread.
[[nodiscard]] ComparisonOutcome compareSides(const ComparisonSide& a, const ComparisonSide& b,
                                             const inspector::ComparisonOptions& options);

// Baselines of `et-inspect baseline`, by name. `file`: the store; empty: the usual one.
/// Errors: NotFound (there are none), those of the store.
[[nodiscard]] core::Result<std::vector<std::string>> baselineNames(const std::filesystem::path& file);
/// Errors: NotFound (says which there are), those of the store.
[[nodiscard]] core::Result<std::shared_ptr<const inspector::Measurement>> loadBaseline(
    const std::filesystem::path& file, const std::string& name);

}  // namespace et::studio
