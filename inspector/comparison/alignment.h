#pragma once

#include "backends/builtin.h"
#include "inspector/comparison/comparison.h"
#include "inspector/comparison/measurement.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Which operators of two sides may correspond, and how similar they are.
class Likeness {
  public:
    using Operators = std::span<const OperatorTimes>;
    using Backends = std::span<const executor::Backend* const>;

    /// `backends` describe what delegated operators compute. Borrows both sides.
    Likeness(Operators a, Operators b, Backends backends);

    /// Weight of a pair; 0: they do not correspond. The same type weighs slightly more than the same family,
    /// the same name slightly more again, and two pairs more than any single one.
    [[nodiscard]] std::uint32_t of(std::size_t inA, std::size_t inB) const;
    /// Operators that may correspond have the same number.
    [[nodiscard]] std::uint32_t familyOfA(std::size_t i) const { return keysA[i].family; }
    [[nodiscard]] std::uint32_t familyOfB(std::size_t i) const { return keysB[i].family; }
    [[nodiscard]] bool sameName(std::size_t inA, std::size_t inB) const {
        return keysA[inA].name == keysB[inB].name;
    }

  private:
    struct Key {
        std::uint32_t name = 0;    ///< without the counter
        std::uint32_t type = 0;    ///< without the kernel
        std::uint32_t family = 0;  ///< types that versions of a backend substitute for each other
        std::size_t call = 0;      ///< index of a delegate call within its side
    };
    class Maker;

    std::vector<Key> keysA;
    std::vector<Key> keysB;
    std::size_t callsOfB = 0;
    std::uint32_t callFamily = 0;
    std::vector<bool> callsOverlap;  ///< indexed by call of A, then of B
};

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
