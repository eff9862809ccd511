#pragma once

#include "app/tasks/lab/closeness.h"
#include "app/tasks/lab/delegate_choice.h"
#include "app/tasks/lab/optimize_points.h"
#include "app/tasks/lab/optimize_settings.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/site_search.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// What was chosen, built and run.
struct OptimizeChoice {
    QuantizeResult quantized;
    QuantizeSettings settings;                ///< that make it again
    Closeness closeness;                      ///< of the program's outputs here to those of the float graph
    std::uint64_t bytes = 0;                  ///< of the file
    std::vector<DelegateChoice> delegates{};  ///< with what was measured of them; none: nothing was timed
};

struct OptimizeResult {
    std::string method;
    std::vector<SiteReport> sites;  ///< in graph order
    std::size_t calibrationCases = 0;
    std::size_t evaluationCases = 0;
    std::size_t variants = 0;  ///< that were measured
    double searchSeconds = 0;
    bool complete = false;              ///< the search came to its end
    std::vector<OptimizePoint> points;  ///< whose programs were made, the smallest first
    std::optional<OptimizeChoice> choice{};
    std::string unmet{};  ///< why there is no choice where a budget was given; empty: there is
};

/// Looks for the scheme of each site of a float model, float among them: greedy, each variant really run in
/// the reference interpreter; then exchanges under the budget. First between the first scheme and float,
/// then among all. Bytes are those of programs that are made, times are measured; what is chosen is run once
/// more before it is written, and of its delegates those are left out that cost time. When
/// settings.what.cancel becomes true or the time is over, the best so far counts. Starts processes to measure
/// time: call it while there are no threads. Errors: as measureSensitivity(), lower() and measurePrograms();
/// those of the command; Cancelled (nothing had been measured).
[[nodiscard]] core::Result<OptimizeResult> optimizeSites(const OptimizeSettings& settings);

}  // namespace et::app
