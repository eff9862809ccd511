#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace et::inspector::detail {

/// What the schema of an operator calls its arguments: "stride" for argument 3 of "aten::convolution.out". A
/// program does not hold the names; empty where we do not know them either.
[[nodiscard]] std::string_view argumentName(std::string_view op, std::size_t argument);

/// The name of an argument in a list with blanks between; empty behind its end.
[[nodiscard]] std::string_view nameInList(std::string_view names, std::size_t argument);

/// "argument 3 (stride)", or "argument 3" of one without a name.
[[nodiscard]] std::string argumentLabel(std::size_t argument, std::string_view name);

}  // namespace et::inspector::detail
