#pragma once

#include "runtime/kernels/fused_tail.h"
#include "runtime/kernels/registry.h"

#include <cstddef>
#include <span>
#include <string_view>

// Fused instructions: a result is consumed by the next instruction while it is in the cache, or is never
// written. Results are bit-identical to separate execution.
namespace et::kernels {

/// Computes the results of an instruction and of the following ones. Returns false, with nothing computed, if
/// it does not support them; each then runs its own kernel. Errors: Limit. `work`: filled if not null.
using FusedFunction = core::Result<bool> (*)(KernelContext& context, Arguments first,
                                             std::span<const FusedTail::Call> behind, FusedWork* work);

struct FusedOperator {
    std::string_view name;  ///< "aten::relu.out"
    std::size_t input = 0;  ///< index of the argument that is the previous instruction's result
    Kernel kernel = {};     ///< for FusedTail::Call
};

struct Fusion {
    std::string_view first;
    std::span<const FusedOperator> behind;  ///< operators that may follow, in any order
    std::size_t maxBehind = 1;              ///< less than maxFused
    FusedFunction call = nullptr;
};

/// Fusions that start with this kernel; null if there are none. Kernels of plugins are never fused.
[[nodiscard]] const Fusion* findFusion(const KernelEntry& first);
/// The kernel's entry in `fusion`; null if absent.
[[nodiscard]] const FusedOperator* behindIn(const Fusion& fusion, const KernelEntry& entry);

}  // namespace et::kernels
