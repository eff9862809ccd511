#pragma once

#include "app/tasks/run/measure.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/run/watch.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace et::app {

/// Which sizes are measured: every prompt with every number of generated tokens, on each number of threads.
struct BenchMatrix {
    std::vector<std::size_t> promptTokens;
    std::vector<std::size_t> generateTokens;
    std::vector<std::size_t> threads;
    Repetitions repetitions{.warmup = 1, .measured = 5};
};

/// One cell of it. Times are nanoseconds, one a repetition; empty: not asked, or not measured.
struct BenchCell {
    std::string file;
    std::size_t threads = 1;
    std::size_t prompt = 0;
    std::size_t generate = 0;
    std::vector<std::uint64_t> prefill;
    std::vector<std::uint64_t> decode;
    std::string skipped;  ///< why it was not measured; empty: it was
};

/// Mean and spread of rates in tokens per second.
struct BenchRate {
    double mean = 0;
    double deviation = 0;  ///< of the sample; 0 with one repetition
    double lowest = 0;
    double highest = 0;
};
[[nodiscard]] BenchRate rateOf(std::size_t tokens, const std::vector<std::uint64_t>& nanoseconds);

/// Measures one program; tokens are made up and greedy, so that texts and end tokens play no part. What was
/// measured when InterruptionGuard is asked to end is the result. Errors: those of LanguageModel.
[[nodiscard]] core::Result<std::vector<BenchCell>> benchLanguage(const std::filesystem::path& program,
                                                                 const ModelOptions& options,
                                                                 const BenchMatrix& matrix, Watch& watch);

}  // namespace et::app
