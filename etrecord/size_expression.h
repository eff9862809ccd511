#pragma once

#include "runtime/core/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// Sizes as torch.export writes them: sympy's text of an expression over symbols ("2*s77", "((s0//8)) + 1").
namespace et::etrecord {

/// What symbols stand for, by name.
using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

/// The value of an expression: whole numbers, symbols, + - * // % **, parentheses, and the functions Max,
/// Min, Mod, PythonMod, FloorDiv, CleanDiv and CeilDiv. Division rounds down, as Python's does. Errors:
/// Format (no such expression: says where), NotFound (a symbol without a value), Unsupported (another
/// function), InvalidArgument (a division by 0), Limit (beyond 64 bits, or nested too deeply).
[[nodiscard]] core::Result<std::int64_t> evaluateSize(std::string_view expression,
                                                      const SymbolValues& symbols);

/// The symbols of an expression, each once, in the order in which they appear.
[[nodiscard]] std::vector<std::string> symbolsOf(std::string_view expression);

}  // namespace et::etrecord
