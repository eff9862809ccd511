#pragma once

#include "inspector/program_diff/program_diff.h"
#include "inspector/session/session.h"
#include "visualizers/compare/aligned_steps.h"

#include <QString>

#include <array>
#include <filesystem>
#include <memory>

namespace et::studio {

/// What became of comparing two programs.
struct ProgramComparison {
    std::shared_ptr<const inspector::ProgramDiff> diff;  ///< null: they cannot be compared
    QString problem;                                     ///< why not
    std::array<visualizers::LinksByMethod, 2> links{};   ///< of A and B
};

/// The open program (A) against that of a file (B), as `et-inspect diff` does. Weights outside of them are
/// those of the session. Not for the GUI thread.
[[nodiscard]] ProgramComparison comparePrograms(const inspector::Session& a, const std::filesystem::path& b);

}  // namespace et::studio
