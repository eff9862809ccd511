#pragma once

#include "inspector/comparison/comparison.h"

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
/// such of the same kind and name, counters (" #2") left out; calls of delegates only where something in
/// them, an operator or an Edge node, has one name. Of those with debug handles, at least as many have the
/// same as stand in the same sequence: then handles count (it is the same graph, perhaps run in another
/// order), and the sequence decides on the rest. Else the handles were given anew, and the sequence decides
/// on all.
[[nodiscard]] std::vector<AlignedPair> alignOperators(std::span<const OperatorTimes> a,
                                                      std::span<const OperatorTimes> b);

}  // namespace et::inspector
