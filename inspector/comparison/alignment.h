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

/// A matching operator of each side, or an unmatched one. Indices into the sides.
struct AlignedPair {
    std::optional<std::size_t> a;
    std::optional<std::size_t> b;
    Alignment alignment = Alignment::Sequence;
};

/// Pairs the operators of two sides, in B's order, with removed operators at their original position.
/// Operators pair only if they have the same kind and compute the same; counters (" #2") are ignored, as are
/// the kernels of operators inside delegates, which differ between versions of a backend. Delegate calls pair
/// only if they share a node or an operator, as far as that is known. If, among operators with debug handles,
/// matching by handle finds at least as many pairs as matching by sequence, handles are used (same graph,
/// perhaps in another order or with another version of a backend), and the sequence decides the rest.
/// Otherwise the handles were reassigned, and the sequence decides everything.
[[nodiscard]] std::vector<AlignedPair> alignOperators(
    std::span<const OperatorTimes> a, std::span<const OperatorTimes> b,
    std::span<const executor::Backend* const> backends = backends::describable());

}  // namespace et::inspector
