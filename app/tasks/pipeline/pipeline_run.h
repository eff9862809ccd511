#pragma once

#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model_options.h"
#include "app/tasks/pipeline/manifest.h"
#include "app/tasks/pipeline/pipeline_programs.h"
#include "app/tasks/pipeline/pipeline_walk.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace et::tasks {

class OptionList;

/// A pipeline and how to run it.
struct PipelineSettings {
    std::filesystem::path manifest;
    std::vector<std::string> inputs;  ///< "NAME=VALUE": replaces an input of the manifest
    ModelOptions model;
    Repetitions repetitions;
};
/// Adds the options except the manifest and the repetitions.
void addPipelineOptions(OptionList& options, PipelineSettings& settings);

/// Times of one call of a stage, over all repetitions.
struct CallTimes {
    std::string iteration;               ///< see iterationText()
    std::vector<std::uint64_t> program;  ///< nanoseconds, by repetition
    std::vector<std::uint64_t> host;
};

/// A stage that is not a loop.
struct StageTimes {
    std::string path;
    std::string program;  ///< its name in the manifest; empty: a host step
    std::string action;   ///< the method or the step
    std::vector<CallTimes> calls;

    /// Sums over the calls of the medians over the repetitions, in nanoseconds.
    [[nodiscard]] std::uint64_t programNanoseconds() const;
    [[nodiscard]] std::uint64_t hostNanoseconds() const;
};

/// How many tokens of a draft were accepted, by position, over the first repetition.
struct AcceptanceRates {
    std::string stage;
    std::vector<std::size_t> offered;  ///< rounds in which all earlier tokens were accepted
    std::vector<std::size_t> accepted;
    std::size_t rounds = 0;
    std::size_t tokens = 0;  ///< accepted ones and those of the target
};

struct PipelineResult {
    std::string name;
    PipelineValues outputs;  ///< those that the manifest names, after the last repetition
    std::vector<std::string> outputNames;
    std::vector<StageTimes> stages;
    std::vector<std::uint64_t> totals;  ///< nanoseconds of each repetition
    std::vector<ProgramMemory> memory;
    std::uint64_t peakResident = 0;  ///< bytes; 0: unknown
    std::vector<AcceptanceRates> acceptance;

    [[nodiscard]] std::uint64_t programNanoseconds() const;
    [[nodiscard]] std::uint64_t hostNanoseconds() const;
};

/// The inputs of the manifest, with those of the settings. Errors: NotFound (no such input), those of
/// makeInput(), with the input's name.
[[nodiscard]] core::Result<PipelineValues> pipelineInputs(const Manifest& manifest,
                                                          const std::vector<std::string>& given,
                                                          std::uint64_t maxBytes);
[[nodiscard]] std::uint64_t maxBytesOf(const ModelOptions& options);

/// Loads all programs and runs the pipeline, each time from the initial state. Errors: those of the manifest,
/// the programs and the stages; Cancelled.
[[nodiscard]] core::Result<PipelineResult> runPipeline(const PipelineSettings& settings,
                                                       ProgressReporter& watch);

}  // namespace et::tasks
