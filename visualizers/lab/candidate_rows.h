#pragma once

#include "visualizers/lab/lab_study.h"
#include "visualizers/toolkit/report_table_model.h"

namespace et::visualizers {

inline constexpr int candidateBytesColumn = 4;

/// The programs of a lab as table rows, in order.
[[nodiscard]] ReportRows candidateRows(const LabStudy& study, const std::vector<LabCandidate>& candidates);

}  // namespace et::visualizers
