#pragma once

#include "inspector/program_diff/program_diff.h"
#include "inspector/session/session.h"
#include "visualizers/compare/aligned_steps.h"

#include <QString>

#include <array>
#include <filesystem>
#include <memory>

namespace et::studio {

/// Result of comparing two programs.
struct ProgramComparison {
    std::shared_ptr<const inspector::ProgramDiff> diff;  ///< null: not comparable
    QString problem;                                     ///< why not
    std::array<visualizers::LinksByMethod, 2> links{};   ///< for A and B
};

/// Compares the open program (A) with that of a file (B), like `et-inspect diff`. External weights are those
/// of the session. Not for the GUI thread.
[[nodiscard]] ProgramComparison comparePrograms(const inspector::Session& a, const std::filesystem::path& b);

}  // namespace et::studio
