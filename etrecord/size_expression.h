#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Size expressions of torch.export: sympy's text of an expression over symbols ("2*s77", "((s0//8)) + 1").
namespace et::etrecord {

/// Values of symbols by name.
using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

/// Evaluates an expression: integers, symbols, + - * // % **, parentheses, and the functions Max, Min, Mod,
/// PythonMod, FloorDiv, CleanDiv and CeilDiv. Division rounds down, like Python's. Errors: Format (invalid
/// expression, with the position), NotFound (a symbol without a value), Unsupported (another function),
/// InvalidArgument (division by 0), Limit (exceeds 64 bits, or nested too deeply).
[[nodiscard]] core::Result<std::int64_t> evaluateSize(std::string_view expression,
                                                      const SymbolValues& symbols);

/// The distinct symbols of an expression, in order of appearance.
[[nodiscard]] std::vector<std::string> findSymbols(std::string_view expression);

}  // namespace et::etrecord
