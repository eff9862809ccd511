#pragma once

#include "app/tasks/pipeline/manifest.h"
#include "backends/reference/reference_value.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

using backends::reference::ReferenceTensor;

/// Values of a pipeline by name. A tensor without an owner is None.
using PipelineValues = std::map<std::string, ReferenceTensor, std::less<>>;

/// Times of one call of a stage in nanoseconds.
struct CallTime {
    std::uint64_t program = 0;  ///< in the program's method
    std::uint64_t host = 0;     ///< in a host step, or copying inputs and outputs
};

/// Runs the programs of a pipeline.
class StageExecutor {
  public:
    StageExecutor() = default;
    StageExecutor(const StageExecutor&) = delete;
    StageExecutor& operator=(const StageExecutor&) = delete;
    virtual ~StageExecutor() = default;

    /// Runs the program of a stage; sets CallTime::program. Errors: those of the program; InvalidArgument (an
    /// input does not fit).
    [[nodiscard]] virtual core::Result<std::vector<ReferenceTensor>> call(
        const PipelineStage& stage, std::span<const ReferenceTensor> inputs, CallTime& time) = 0;
};

/// A finished call of a stage that is not a loop.
struct StageCall {
    const PipelineStage& stage;
    std::span<const std::uint64_t> iterations;  ///< of the loops around it, outermost first
    std::span<const ReferenceTensor> inputs;    ///< of a host step that evaluates an expression: none
    std::span<const ReferenceTensor> outputs;
    CallTime time;
};
/// An error ends the pipeline.
using StageObserver = std::function<core::Result<>(const StageCall& call)>;

/// "3", "3.1"; empty outside of loops.
[[nodiscard]] std::string iterationText(std::span<const std::uint64_t> iterations);

/// Runs all stages with these inputs, and returns all values. `maxBytes`: limit of the values that exist at
/// the same time. Errors: those of `executor` and of the steps, with stage and iteration; Limit; Cancelled
/// (InterruptionGuard).
[[nodiscard]] core::Result<PipelineValues> walkPipeline(const Manifest& manifest, PipelineValues inputs,
                                                        StageExecutor& executor, std::uint64_t maxBytes,
                                                        const StageObserver& observer = {});

}  // namespace et::tasks
