#pragma once

#include "inspector/format/table.h"

#include <string>

namespace et::output {

/// Errors of operators in execution order over a logarithmic axis, with those that diverge by their own error
/// marked. `table` has the columns row, runtime_ops, max_abs, diverges (in this order), sorted by row; a row
/// with several outputs is an operator with its largest error. Empty if no row has a number.
[[nodiscard]] std::string gapPicture(const inspector::format::Table& table);

}  // namespace et::output
