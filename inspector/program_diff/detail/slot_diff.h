#pragma once

#include "inspector/program_diff/program_diff.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace et::inspector::program_diff::detail {

/// The inputs or outputs of a method on one side.
struct Slots {
    const program::Method& method;
    const std::vector<program::ValueId>& ids;
};

/// Matches slots by position if both sides have the same number, else by the longest common subsequence of
/// types.
[[nodiscard]] std::vector<std::optional<std::size_t>> alignSlots(const Slots& before, const Slots& after);

/// Compares all slots of both sides. `partners` is the result of alignSlots().
[[nodiscard]] std::vector<SlotDiff> diffSlots(const Slots& before, const Slots& after,
                                              const std::vector<std::optional<std::size_t>>& partners);

}  // namespace et::inspector::program_diff::detail
