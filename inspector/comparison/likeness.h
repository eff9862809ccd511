#pragma once

#include "inspector/comparison/measurement.h"
#include "runtime/executor/backend.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Which operators of two sides may be the same, and how alike they are.
class Likeness {
  public:
    using Operators = std::span<const OperatorTimes>;
    using Backends = std::span<const executor::Backend* const>;

    /// `backends` say what operators of delegates compute. Borrows both sides.
    Likeness(Operators a, Operators b, Backends backends);

    /// 0: they are not the same. A pair of one type is worth a little more than one of a family, of one name
    /// still more, and two pairs more than any one.
    [[nodiscard]] std::uint32_t of(std::size_t inA, std::size_t inB) const;
    /// Operators that may be the same have the same number.
    [[nodiscard]] std::uint32_t familyOfA(std::size_t i) const { return keysA[i].family; }
    [[nodiscard]] std::uint32_t familyOfB(std::size_t i) const { return keysB[i].family; }
    [[nodiscard]] bool sameName(std::size_t inA, std::size_t inB) const {
        return keysA[inA].name == keysB[inB].name;
    }

  private:
    struct Key {
        std::uint32_t name = 0;    ///< without what counts equal ones
        std::uint32_t type = 0;    ///< without the kernel
        std::uint32_t family = 0;  ///< of types that versions of a backend exchange for one another
        std::size_t call = 0;      ///< of a delegate call: its place among those of the side
    };
    class Maker;

    std::vector<Key> keysA;
    std::vector<Key> keysB;
    std::size_t callsOfB = 0;
    std::uint32_t callFamily = 0;
    std::vector<bool> callsOverlap;  ///< by call of A, then of B
};

}  // namespace et::inspector
