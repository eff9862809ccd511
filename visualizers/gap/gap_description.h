#pragma once

#include "inspector/numeric_gap/gap_report.h"

#include <QString>

namespace et::visualizers {

/// What is known of an operator of a gap, as rich text: names, handles, module, line, inputs, errors and why
/// it diverges.
[[nodiscard]] QString operatorHtml(const inspector::GapReportRow& row);

/// The statistics of both sides of an output, and all metrics, as a table in rich text.
[[nodiscard]] QString outputHtml(const inspector::GapOutput& output);

/// What a gap comes to, in a line: the first divergence, or that there is none, and on which inputs.
[[nodiscard]] QString summaryText(const inspector::GapReport& report);

}  // namespace et::visualizers
