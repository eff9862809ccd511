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

namespace et::app {

/// A method of a program some of whose instructions became delegates.
struct RewrittenMethod {
    /// Its graph is made of all blocks; it keeps the payloads that the method's delegates borrow.
    backends::lowering::LoweredMethod lowered;
    /// By new instruction: the one that it was; nothing: a delegate that was made.
    std::vector<std::optional<std::size_t>> instructions;
};

struct RewriteOptions {
    const kernels::KernelRegistry& kernels;
    const backends::lowering::Partitioner& partitioner;  ///< none: all stays as it is
    std::function<bool(const etrecord::Node&)> mayTake;
    const NodeNotes& notes;
};

/// Replaces what a backend takes of a method by calls of delegates. In the method each tensor has memory of
/// its own (inspector::spreadPlan()); afterwards it wants another plan. `constants` is the same method with
/// the data of all constants that are known. Errors: Unsupported (more or fewer than one chain), as
/// MethodValues::of(), EdgeMethod::of(), the partitioner and emissionOrder().
[[nodiscard]] core::Result<RewrittenMethod> rewriteMethod(program::Method& method,
                                                          const program::Method& constants,
                                                          const RewriteOptions& options,
                                                          backends::lowering::WeightStore& weights);

}  // namespace et::app
