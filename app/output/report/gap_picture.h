#pragma once

#include "inspector/format/table.h"

#include <string>

namespace et::output {

/// Errors of operators in execution order: a dot each over a logarithmic axis, with those that diverge by
/// their own error highlighted. `rows` has the columns row, runtime_ops, max_abs, diverges (in this order);
/// rows without a number are skipped. Empty if no row has one.
[[nodiscard]] std::string gapPicture(const inspector::format::Table& rows);

}  // namespace et::output
