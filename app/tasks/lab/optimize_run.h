#pragma once

#include "app/tasks/lab/closeness.h"
#include "app/tasks/lab/optimize_budget.h"
#include "app/tasks/lab/optimize_points.h"
#include "app/tasks/lab/quantize_run.h"
#include "app/tasks/lab/quantized_variants.h"
#include "app/tasks/lab/site_search.h"
#include "app/tasks/run/watch.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// How the time of candidates is found.
enum class CandidateTimer : std::uint8_t {
    None,
    Here,     ///< they run on this machine, in turns
    Command,  ///< prints milliseconds
};

struct OptimizeSettings {
    VariantSettings what{.record = {}, .calibration = {}, .evaluation = {}, .threads = 0};
    OptimizeBudget budget{};
    double seconds = 60;  ///< for the search; what it has found then counts
    CandidateTimer timer = CandidateTimer::Here;
    std::string command{};                 ///< with `{}` for the program
    std::size_t timingThreads = 1;         ///< of a run that is timed here
    std::filesystem::path output{};        ///< program (.pte); empty: nothing is written
    std::filesystem::path recordOutput{};  ///< the record of that program; empty: none is written
    ProgressOptions progress{};
    bool otherSchemes = false;  ///< the whole model is tried with them as well
};

/// What was chosen, built and run.
struct OptimizeChoice {
    QuantizeResult quantized;
    QuantizeSettings settings;  ///< that make it again
    Closeness closeness;        ///< of the program's outputs here to those of the float graph
    std::uint64_t bytes = 0;    ///< of the file
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

/// Looks for the sites of a float model to leave in float, with all others in static int8: greedy, each
/// variant really run in the reference interpreter; then exchanges under the budget. Bytes are those of
/// programs that are made, times are measured; other schemes are tried on all sites that they take; what is
/// chosen is run once more before it is written. When settings.what.cancel becomes true or the time is over,
/// the best so far counts. Starts processes to measure time: call it while there are no threads. Errors: as
/// measureSensitivity(), lower() and measurePrograms(); those of the command; Cancelled (nothing had been
/// measured).
[[nodiscard]] core::Result<OptimizeResult> optimizeSites(const OptimizeSettings& settings);

}  // namespace et::app
