#pragma once

#include "backends/builtin.h"
#include "inspector/comparison/comparison.h"
#include "inspector/comparison/likeness.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace et::inspector {

/// An operator of each side that are the same, or one that stands alone. Indices into the sides.
struct AlignedPair {
    std::optional<std::size_t> a;
    std::optional<std::size_t> b;
    Alignment alignment = Alignment::Sequence;
};

/// Pairs the operators of two sides, in B's order with what is removed where it was. Operators pair only with
/// such of the same kind that compute the same: counters (" #2") are left out, and of operators inside of
/// delegates the kernel, which is another one in other versions of the backend. Calls of delegates pair only
/// where they share a node or an operator, as far as that is known. Of operators with debug handles, at least
/// as many have the same as stand in the same sequence: then handles count (it is the same graph, perhaps run
/// in another order, or by another version of a backend), and the sequence decides on the rest. Else the
/// handles were given anew, and the sequence decides on all.
[[nodiscard]] std::vector<AlignedPair> alignOperators(
    std::span<const OperatorTimes> a, std::span<const OperatorTimes> b,
    std::span<const executor::Backend* const> backends = backends::describable());

}  // namespace et::inspector
