#pragma once

#include "runtime/core/value.h"

#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

// Numbers shared by operator tests.
namespace et::test {

inline constexpr float nan = std::numeric_limits<float>::quiet_NaN();
inline constexpr float infinity = std::numeric_limits<float>::infinity();
inline constexpr std::int64_t min = std::numeric_limits<std::int64_t>::min();
inline constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
inline constexpr std::int64_t half = std::int64_t{1} << 30;  ///< 0.5 as a fixed-point multiplier relative to
                                                             ///< 2^31

/// An integer argument.
inline core::Value::Kind whole(std::int64_t number) {
    return number;
}

/// 1, 2, 3, ...
inline std::vector<float> countUp(std::int64_t count) {
    std::vector<float> numbers(static_cast<std::size_t>(count));
    std::iota(numbers.begin(), numbers.end(), 1.0F);
    return numbers;
}

/// Returns `count` random numbers from -limit to limit.
inline std::vector<float> randomNumbers(std::int64_t count, unsigned seed = 7, float limit = 10) {
    std::mt19937 random(seed);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) {
        number = static_cast<float>(static_cast<int>(random() % 2001) - 1000) / (1000 / limit);
    }
    return numbers;
}

}  // namespace et::test
