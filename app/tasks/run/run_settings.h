#pragma once

#include "app/tasks/model/measure.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/model/size_range.h"
#include "app/tasks/run/trace_options.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// A program, the number of executions, and the options of its trace.
struct RunSettings {
    std::filesystem::path program;
    ModelOptions model;
    TraceOptions trace;
    Repetitions repetitions;
    std::filesystem::path memoryReport;  ///< memory errors found by --sanitize; empty: none
};

/// Adds all options except those of the output.
void addRunOptions(OptionList& options, RunSettings& settings);

/// The programs to measure, and how often. Lists are empty if not given.
struct BenchSettings {
    /// The procedure of ExecuTorch's published figures, on one thread.
    static constexpr Repetitions published{.warmup = 10, .measured = 50};

    std::vector<std::filesystem::path> files;
    ModelOptions model;
    Repetitions repetitions = published;
    std::vector<std::size_t> threadCounts;  ///< values of --threads
    std::vector<std::string> methods;       ///< values of --method
    std::vector<SizeRange> dims;
    bool xnnpackOptions = false;  ///< measure each combination of XNNPACK's load options
    std::vector<std::size_t> promptTokens;
    std::vector<std::size_t> generateTokens;
};

/// Adds all options except those of the output.
void addBenchOptions(OptionList& options, BenchSettings& settings);

}  // namespace et::tasks
