#pragma once

#include "inspector/numeric_gap/numeric_gap.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// The gaps of a program, one per set of inputs.
using Gaps = std::span<const std::shared_ptr<const NumericGap>>;

/// An operator that diverges by its own error, with the inputs on which it does.
struct DivergingOperator {
    const GapRow* row = nullptr;  ///< of the first gap in which it diverges
    std::vector<std::string> inputs;
};

/// In execution order.
[[nodiscard]] std::vector<DivergingOperator> divergingOperators(Gaps gaps);

/// Returns the gap of the first inputs with a diverging operator, or nothing.
[[nodiscard]] std::optional<std::size_t> firstDivergingGap(Gaps gaps);

/// Each once.
[[nodiscard]] std::vector<std::string> makeWarnings(Gaps gaps);

}  // namespace et::inspector
