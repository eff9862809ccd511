#pragma once

#include "app/tasks/rewrite/part_maker.h"
#include "inspector/numeric_gap/part_reference.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace et::tasks {

/// Where the whole program computes the inputs and outputs of a part, in the part's order.
struct PartValueSources {
    std::vector<inspector::RuntimeValueRef> inputs;
    std::vector<inspector::RuntimeValueRef> outputs;
};

/// Places of the part that `maker` has cut. Errors: those of the delegates' payloads.
[[nodiscard]] core::Result<PartValueSources> collectValueSources(const PartMaker& maker,
                                                                 const PartChoice& choice);

/// Converts the values computed by a part to instructions and value ids of the whole.
[[nodiscard]] inspector::RuntimeValues asInWhole(inspector::RuntimeValues values, const PartMaker& maker,
                                                 const PartChoice& choice);

/// The operator of the delegate that computes an inner value; nothing if unknown.
[[nodiscard]] std::optional<std::size_t> nodeOf(const program::Method& whole, std::size_t instruction,
                                                std::uint32_t value);

}  // namespace et::tasks
