#pragma once

#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <string>

namespace et::output {

/// An answer of the debugger as text for people. `colour`: with terminal escape sequences.
[[nodiscard]] std::string debugText(const inspector::format::Dict& answer, bool colour);
/// One line of JSON: the answer, or {"error": {"code", "message"}}.
[[nodiscard]] std::string debugJson(const core::Result<inspector::format::Dict>& answer);

}  // namespace et::output
