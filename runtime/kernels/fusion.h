#pragma once

#include "runtime/kernels/followers.h"
#include "runtime/kernels/registry.h"

#include <cstddef>
#include <span>
#include <string_view>

// Instructions that are computed together: what one writes is taken by the next one while it is in the cache,
// or is never written at all. Their results are the same to the last bit as one by one.
namespace et::kernels {

/// Computes the results of an instruction and of those behind it. False: they are not of a kind that it
/// takes, and nothing was computed; each has its own kernel. Errors: Limit. `work`: null, or to be filled.
using FusedFunction = core::Result<bool> (*)(KernelContext& context, Arguments first,
                                             std::span<const Followers::Call> behind, FusedWork* work);

struct FusedOperator {
    std::string_view name;  ///< "aten::relu.out"
    std::size_t input = 0;  ///< the argument that is the result of the instruction before
    Kernel kernel = {};     ///< for Followers::Call
};

struct Fusion {
    std::string_view first;
    std::span<const FusedOperator> behind;  ///< what may follow, in any order
    std::size_t maxBehind = 1;              ///< less than maxFused
    FusedFunction call = nullptr;
};

/// What can be fused with instructions of this kernel behind them; null: nothing. A kernel of a plugin stays
/// by itself.
[[nodiscard]] const Fusion* fusionOf(const KernelEntry& first);
/// The kernel's place in `fusion`; null: it has none.
[[nodiscard]] const FusedOperator* behindIn(const Fusion& fusion, const KernelEntry& entry);

}  // namespace et::kernels
