#pragma once

#include "etrecord/exported_graph.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace et::backends::lowering {

/// Range of values of an expression; no `max`: unbounded.
struct NumberRange {
    std::int64_t min = 0;
    std::optional<std::int64_t> max;
};

/// Range of an expression of symbolic sizes in export's (sympy's) syntax ("2*s0 + 1", "(s0//2)", "Max(1,
/// s0)"), from the ranges of its symbols. Sizes are not negative. Nothing if the expression contains unknown
/// symbols or functions.
[[nodiscard]] std::optional<NumberRange> rangeOf(
    std::string_view expression, const etrecord::ExportedGraph::ByName<etrecord::RangeConstraint>& symbols);

}  // namespace et::backends::lowering
