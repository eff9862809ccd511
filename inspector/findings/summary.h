#pragma once

#include "inspector/events/slowest_operators.h"
#include "inspector/findings/dashboard.h"
#include "inspector/findings/findings.h"
#include "inspector/session/belonging.h"

#include <string>
#include <vector>

namespace et::inspector {

/// A labelled figure for display: "Run", "p50 0.322 ms, p90 0.351 ms, first 1.2 ms, 20 runs".
struct KeyFigure {
    std::string label;
    std::string text;
};

/// Overview of a session.
struct Summary {
    std::vector<FileBelonging> files;
    /// Load, first run and run; for each method its delegated share, planned and peak memory; sizes; tests.
    std::vector<KeyFigure> figures;
    std::vector<Finding> findings;  ///< as deriveFindings()
    Dashboard dashboard;            ///< the figures as chart data
    /// At most 8 operators with the most time, including those inside delegates; empty without a trace.
    std::vector<events::SlowOperator> slowest;
    std::vector<std::string> warnings;  ///< failed joins, and warnings of successful ones
};

/// Joins delegates and memory plans, which takes a moment for large programs.
[[nodiscard]] Summary summarize(const Session& session);

}  // namespace et::inspector
