#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/soak/soak_run.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

namespace et::tasks {

/// Maximum number of cases used from a bundled program.
inline constexpr std::size_t mostSoakCases = 16;

/// Settings for the executions of one program.
struct RoundSettings {
    ModelOptions options;
    std::size_t runs = 0;
    std::optional<double> seconds{};  ///< instead of `runs`
    std::size_t threads = 0;          ///< of SoakVariant::Threads
    /// Also inspects the values inside delegates, and continues, up to four times as long (but not longer
    /// than `seconds`), until one of them is the first to differ.
    bool inside = false;
    /// Variants to try; all if none of them is possible.
    std::array<bool, soakVariants> variants{true, true, true, true, true};
};

/// Executes and compares. SoakFailure::inside stays empty. Errors: those of Model.
[[nodiscard]] core::Result<SoakResult> soakRounds(std::shared_ptr<const core::MappedFile> file,
                                                  const RoundSettings& settings, ProgressReporter& watch);

}  // namespace et::tasks
