#pragma once

#include "app/tasks/pipeline/manifest.h"
#include "backends/reference/reference_value.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace et::tasks {

using backends::reference::ReferenceTensor;

/// Looks up a value of the pipeline by name; null: none.
using ValueLookup = std::function<const ReferenceTensor*(std::string_view)>;

/// Arguments of a host step.
struct HostCall {
    const PipelineStage& stage;
    std::span<const ReferenceTensor> inputs;
    const ValueLookup& values;  ///< for expressions
    std::uint64_t call = 0;     ///< number of earlier calls of this stage
};

/// A step that a pipeline computes on the host.
struct HostStep {
    std::string_view name;
    std::size_t leastInputs;
    std::size_t mostInputs;
    std::size_t outputs;
    std::span<const std::string_view> keys;    ///< of the manifest, besides inputs and outputs
    std::span<const std::string_view> needed;  ///< those that must be given
    std::string_view meaning;
    core::Result<std::vector<ReferenceTensor>> (*run)(const HostCall& call);
};

[[nodiscard]] std::span<const HostStep> hostSteps();
/// Null for an unknown name.
[[nodiscard]] const HostStep* findHostStep(std::string_view name);

/// Names of the values that an expression reads. Errors: InvalidArgument, Limit (not an expression).
[[nodiscard]] core::Result<std::vector<std::string>> namesIn(const std::string& expression);
/// Whether an expression over the values of a pipeline holds. Errors: InvalidArgument, Unsupported.
[[nodiscard]] core::Result<bool> expressionHolds(const std::string& expression, const ValueLookup& values);

}  // namespace et::tasks
