#pragma once

#include "bundled_program/bundle.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace et::test {

/// Expected outcome of a case of a generated bundle.
enum class Expectation {
    Right,     ///< the program's output
    Wrong,     ///< one element 0.5 too large
    NotFinite  ///< two elements that are NaN and infinity
};

/// Builds a bundled program of our conv net with one case for each expectation, all with its sample inputs.
[[nodiscard]] std::vector<std::byte> makeBundle(const std::vector<Expectation>& cases);

/// Index of the wrong element.
inline constexpr std::size_t wrongElement = 3;

}  // namespace et::test
