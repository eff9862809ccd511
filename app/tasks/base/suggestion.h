#pragma once

#include <span>
#include <string>
#include <string_view>

namespace et::tasks {

/// Minimum number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`
/// (optimal string alignment distance, in bytes).
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b);

/// " (did you mean 'table'?)" for the known word closest to `given`, or "" if none is close.
[[nodiscard]] std::string didYouMean(std::string_view given, std::span<const std::string> known);

}  // namespace et::tasks
