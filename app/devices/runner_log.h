#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::devices {

/// What ExecuTorch's executor_runner says of its times, anywhere in the lines of a log:
///
///     Using method forward
///     Model loaded in 12.3 ms.
///     Iteration 1 of 10: 1.25 ms
///     Model executed successfully 10 time(s) in 12.5 ms.
///
/// Older ones say the last line alone; then there is one time, the mean of those executions. It may have run
/// several times.
struct RunnerLog {
    std::string method;  ///< the last one; empty: it does not say
    std::vector<double> loadNanoseconds;
    std::vector<double> executionNanoseconds;
};

/// Numbers that are none are no lines of it.
[[nodiscard]] RunnerLog readRunnerLog(std::string_view text);

}  // namespace et::devices
