#pragma once

#include "etrecord/exported_graph.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace et::backends::lowering {

/// The numbers that an expression may have; no `max`: there is none.
struct NumberRange {
    std::int64_t min = 0;
    std::optional<std::int64_t> max;
};

/// The range of an expression of symbolic sizes as exporting writes it (sympy's spelling: "2*s0 + 1",
/// "(s0//2)", "Max(1, s0)"), from the ranges of its symbols. Sizes are not negative. Nothing where the
/// expression has what is not known here.
[[nodiscard]] std::optional<NumberRange> rangeOf(
    std::string_view expression, const etrecord::ExportedGraph::ByName<etrecord::RangeConstraint>& symbols);

}  // namespace et::backends::lowering
