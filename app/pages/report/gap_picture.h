#pragma once

#include "inspector/format/table.h"

#include <string>

namespace et::app {

/// How far each operator is off, in execution order: a dot each over a logarithmic axis, those that diverge
/// by their own error marked. `rows`: of columns row, runtime_ops, max_abs, diverges (in this order); rows
/// without a number are left out. Empty: no row has one.
[[nodiscard]] std::string gapPicture(const inspector::report::Table& rows);

}  // namespace et::app
