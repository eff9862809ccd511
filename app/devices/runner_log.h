#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace et::devices {

/// Times reported by ExecuTorch's executor_runner, anywhere in the lines of a log:
///
///     Using method forward
///     Model loaded in 12.3 ms.
///     Iteration 1 of 10: 1.25 ms
///     Model executed successfully 10 time(s) in 12.5 ms.
///
/// Older versions print only the last line, which gives one time: the mean of those executions. The log may
/// contain several runs.
struct RunnerLog {
    std::string method;  ///< the last one; empty if not reported
    std::vector<double> loadNanoseconds;
    std::vector<double> executionNanoseconds;
};

/// Lines with invalid numbers are ignored.
[[nodiscard]] RunnerLog readRunnerLog(std::string_view text);

}  // namespace et::devices
