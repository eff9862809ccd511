#pragma once

#include "bundled_program/bundle.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace et::test {

/// What a case of a made-up bundle expects.
enum class Expectation {
    Right,     ///< what the program gives
    Wrong,     ///< one element too large by 0.5
    NotFinite  ///< two elements that are NaN and infinity
};

/// A bundled program of our own conv net with one case of its inputs for each expectation.
[[nodiscard]] std::vector<std::byte> makeBundle(const std::vector<Expectation>& cases);

/// Which element is wrong.
inline constexpr std::size_t wrongElement = 3;

}  // namespace et::test
