#pragma once

#include "app/tasks/gap/gaps.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace et::app {

/// An operator that diverges by its own error, and on which inputs.
struct DivergingOperator {
    const inspector::GapRow* row = nullptr;  ///< of the first gap where it does
    std::vector<std::string> inputs;
};

/// In execution order.
[[nodiscard]] std::vector<DivergingOperator> divergingOperators(Gaps gaps);

/// The gap of the first inputs on which something diverges; nothing: nothing does.
[[nodiscard]] std::optional<std::size_t> firstDivergingGap(Gaps gaps);

/// Each once.
[[nodiscard]] std::vector<std::string> warningsOf(Gaps gaps);

}  // namespace et::app
