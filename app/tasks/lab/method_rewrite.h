#pragma once

#include "app/tasks/lab/method_values.h"
#include "app/tasks/lab/program_blocks.h"
#include "backends/lowering/lower.h"
#include "backends/lowering/weight_store.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace et::tasks {

/// A method in which some instructions were replaced by delegates.
struct RewrittenMethod {
    /// Its graph combines all blocks; it owns the payloads of the method's delegates.
    backends::lowering::LoweredMethod lowered;
    /// By new instruction: the original one; nothing: a new delegate.
    std::vector<std::optional<std::size_t>> instructions;
};

struct RewriteOptions {
    const kernels::KernelRegistry& kernels;
    const backends::lowering::Partitioner& partitioner;  ///< an empty partitioner changes nothing
    std::function<bool(const etrecord::Node&)> mayTake;
    const NodeNotes& notes;
};

/// Replaces the instructions that a backend supports by delegate calls. Each tensor of the method must have
/// its own memory (inspector::spreadPlan()); afterwards the method needs a new plan. `constants` is the same
/// method with the data of all known constants. Errors: Unsupported (not exactly one chain), those of
/// MethodValues::of(), EdgeMethod::of(), the partitioner and emissionOrder().
[[nodiscard]] core::Result<RewrittenMethod> rewriteMethod(program::Method& method,
                                                          const program::Method& constants,
                                                          const RewriteOptions& options,
                                                          backends::lowering::WeightStore& weights);

}  // namespace et::tasks
