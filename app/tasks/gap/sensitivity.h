#pragma once

#include "app/tasks/gap/gaps.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// An operator that diverges by its own error, with the inputs on which it does.
struct DivergingOperator {
    const inspector::GapRow* row = nullptr;  ///< of the first gap in which it diverges
    std::vector<std::string> inputs;
};

/// In execution order.
[[nodiscard]] std::vector<DivergingOperator> divergingOperators(Gaps gaps);

/// Returns the gap of the first inputs with a diverging operator, or nothing.
[[nodiscard]] std::optional<std::size_t> firstDivergingGap(Gaps gaps);

/// Each once.
[[nodiscard]] std::vector<std::string> makeWarnings(Gaps gaps);

}  // namespace et::tasks
