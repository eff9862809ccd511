#pragma once

#include "app/tasks/lab/delegate_choice.h"
#include "app/tasks/lab/optimize_points.h"
#include "app/tasks/lab/optimize_settings.h"
#include "app/tasks/lab/output_error.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/site_search.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// The chosen program, built and run.
struct OptimizeChoice {
    QuantizeResult quantized;
    QuantizeSettings settings;  ///< settings that reproduce it
    OutputError closeness;      ///< of the program's outputs on this machine to those of the float graph
    std::uint64_t bytes = 0;    ///< of the file
    std::vector<DelegateChoice> delegates{};  ///< with their measurements; empty if not timed
};

struct OptimizeResult {
    std::string method;
    std::vector<SiteReport> sites;  ///< in graph order
    std::size_t calibrationCases = 0;
    std::size_t evaluationCases = 0;
    std::size_t variants = 0;  ///< number of measured variants
    double searchSeconds = 0;
    bool complete = false;                ///< the search was completed
    std::vector<std::string> warnings{};  ///< sites without static scales
    std::vector<OptimizePoint> points;    ///< those whose programs were built, smallest first
    std::optional<OptimizeChoice> choice{};
    std::string unmet{};  ///< why there is no choice despite a budget; empty if there is one
};

/// Searches a scheme, or float, for each site of a float model: greedily, running each variant in the
/// reference interpreter; then by exchanges within the budget. Searches first between the first scheme and
/// float, then among all. Bytes are those of built programs, and times are measured; the chosen program is
/// run once more before it is written, and delegates that cost time are dropped. When settings.what.cancel
/// becomes true or the time is up, the best result so far is used. Starts processes for timing: must be
/// called before there are threads. Errors: those of measureSensitivity(), lower() and measurePrograms();
/// those of the command; Cancelled (nothing was measured yet).
[[nodiscard]] core::Result<OptimizeResult> optimizeSites(const OptimizeSettings& settings);

}  // namespace et::tasks
