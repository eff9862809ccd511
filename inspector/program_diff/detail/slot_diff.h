#pragma once

#include "inspector/program_diff/program_diff.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace et::inspector::detail {

/// The inputs or outputs of a method on one side.
struct Slots {
    const program::Method& method;
    const std::vector<program::ValueId>& ids;
};

/// Which slot is which: by position where both sides have as many, else the longest run of equal types.
[[nodiscard]] std::vector<std::optional<std::size_t>> alignSlots(const Slots& before, const Slots& after);

/// All slots of both sides. `partners` is what alignSlots() gave.
[[nodiscard]] std::vector<SlotDiff> diffSlots(const Slots& before, const Slots& after,
                                              const std::vector<std::optional<std::size_t>>& partners);

}  // namespace et::inspector::detail
