#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model_options.h"
#include "backends/xnnpack/library/load_options.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

// Time and memory of models with each combination of XNNPACK's load options.
namespace et::tasks {

/// One combination. Models are loaded at the same time; values are sums over them. Times are nanoseconds.
struct OptionCost {
    backends::xnnpack::LoadOptions options{};
    double load = 0;       ///< median over the rounds
    double first = 0;      ///< median first execution, which allocates the workspace
    double median = 0;     ///< median over the rounds of the median execution
    double loadRatio = 1;  ///< median over the rounds of the ratio to the default options in the same round
    double timeRatio = 1;  ///< likewise, of executions
    std::uint64_t packedBytes = 0;
    std::uint64_t workspaceBytes = 0;
};

/// Measures all combinations in turns, the default options first in the result. Each round loads the models
/// again with every combination, in another order. Fewer rounds if InterruptionGuard requests an end; empty
/// if the first round did not end. Errors: those of Model::open() and Model::execute().
[[nodiscard]] core::Result<std::vector<OptionCost>> measureOptionCosts(
    std::span<const std::filesystem::path> models, const ModelOptions& options, Repetitions repetitions,
    ProgressReporter& watch, const std::function<void(std::string_view)>& note);

}  // namespace et::tasks
