#pragma once

#include "inspector/findings/dashboard.h"
#include "inspector/findings/findings.h"
#include "inspector/session/belonging.h"

#include <string>
#include <vector>

namespace et::inspector {

/// A figure as a person reads it: "Run", "p50 0.322 ms, p90 0.351 ms, first 1.2 ms, 20 runs".
struct KeyFigure {
    std::string label;
    std::string text;
};

/// What there is to say of a session before looking at any part of it.
struct Summary {
    std::vector<FileBelonging> files;
    /// Load, first run and run; of each method its delegated share, planned and peak memory; sizes; tests.
    std::vector<KeyFigure> figures;
    std::vector<Finding> findings;      ///< as findings()
    Dashboard dashboard;                ///< the figures as pictures need them
    std::vector<std::string> warnings;  ///< what could not be joined, and what the joins warn of
};

/// Joins delegates and memory plans, which takes a moment for large programs.
[[nodiscard]] Summary summarize(const Session& session);

}  // namespace et::inspector
