#pragma once

#include "inspector/numeric_gap/gap_report.h"

#include <QString>

namespace et::visualizers {

/// Details of an operator of a gap as rich text: names, debug handles, module, line, inputs, errors and the
/// cause of a divergence.
[[nodiscard]] QString operatorHtml(const inspector::GapReportRow& row);

/// Statistics of both sides of an output and all metrics as a rich-text table.
[[nodiscard]] QString outputHtml(const inspector::GapOutput& output);

/// One-line summary of a gap: the first divergence or its absence, and the inputs.
[[nodiscard]] QString summaryText(const inspector::GapReport& report);

}  // namespace et::visualizers
