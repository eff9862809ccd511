#pragma once

#include "app/output/cells.h"
#include "app/tasks/gap/gaps.h"
#include "inspector/numeric_gap/numeric_gap.h"

#include <span>
#include <string>
#include <vector>

// Numeric gaps as JSON (docs/reference/json.md) and as tables.
namespace et::output {

struct GapInfoOptions {
    inspector::GapMetric metric = inspector::GapMetric::Mse;
    bool bisect = false;
    double tolerance = 1;                 ///< tolerance of the bisection
    std::string precision{};              ///< precision of the reference: "exported", "double"
    std::vector<std::string> emulated{};  ///< names of emulated backends
};

[[nodiscard]] std::string gapJson(tasks::Gaps gaps, const GapInfoOptions& options);

/// Columns and rows of the first gap; with `forPeople`, numbers are rounded and texts shortened.
[[nodiscard]] Table gapTable(const inspector::NumericGap& gap, const GapInfoOptions& options, bool forPeople);

/// Text below the table: the first divergence, and operators that diverge on some inputs only.
[[nodiscard]] std::string gapSummary(tasks::Gaps gaps, const GapInfoOptions& options);

/// A column, for help.
struct GapColumn {
    const char* id;
    const char* header;
    const char* meaning;
    bool numeric;
};
[[nodiscard]] std::span<const GapColumn> gapColumns();

}  // namespace et::output
