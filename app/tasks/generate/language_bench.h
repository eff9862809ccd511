#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model_options.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

/// Sizes to measure: every combination of prompt length, number of generated tokens, and number of threads.
struct BenchMatrix {
    std::vector<std::size_t> promptTokens;
    std::vector<std::size_t> generateTokens;
    std::vector<std::size_t> threads;
    Repetitions repetitions{.warmup = 1, .measured = 5};
};

/// One cell of the matrix. Times are nanoseconds, one per repetition; empty: not requested, or not measured.
struct BenchCell {
    std::string file;
    std::size_t threads = 1;
    std::size_t prompt = 0;
    std::size_t generate = 0;
    std::vector<std::uint64_t> prefill;
    std::vector<std::uint64_t> decode;
    std::string skipped;  ///< why it was skipped; empty if measured
};

/// Mean and standard deviation of rates in tokens per second.
struct BenchRate {
    double mean = 0;
    double deviation = 0;  ///< sample deviation; 0 with one repetition
    double lowest = 0;
    double highest = 0;
};
[[nodiscard]] BenchRate rateOf(std::size_t tokens, const std::vector<std::uint64_t>& nanoseconds);

/// Measures one program with made-up tokens and greedy decoding, so that texts and end tokens do not matter.
/// If InterruptionGuard requests an end, returns the results so far. Errors: those of LanguageModel.
[[nodiscard]] core::Result<std::vector<BenchCell>> benchLanguage(const std::filesystem::path& program,
                                                                 const ModelOptions& options,
                                                                 const BenchMatrix& matrix,
                                                                 ProgressReporter& watch);

}  // namespace et::tasks
