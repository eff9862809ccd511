#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Parses "3,5..9" to 3, 5, 6, 7, 8, 9: ascending, without duplicates. Errors: InvalidArgument (not a valid
/// list; `what` names it), Limit (more than a million).
[[nodiscard]] core::Result<std::vector<std::size_t>> parseNumberList(std::string_view text,
                                                                     std::string_view what);

/// Formats 3, 5, 6, 7, 8, 9 as "3,5..9".
[[nodiscard]] std::string numberListText(std::span<const std::size_t> numbers);

/// Returns 0 to count - 1.
[[nodiscard]] std::vector<std::size_t> numbersBelow(std::size_t count);

}  // namespace et::tasks
