#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

namespace et::test {

inline constexpr double millisecond = 1e6;  ///< in nanoseconds

/// Times of a known distribution, the same on every machine.
class MadeUpSamples {
  public:
    explicit MadeUpSamples(std::uint64_t seed) : random(seed) {}

    /// From 0 to 1, exclusive.
    double uniform() { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; }
    /// Standard normal. Definition: Box and Muller, 1958.
    double normal() {
        return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
    }

    std::vector<double> make(std::size_t count,
                             const std::function<double(MadeUpSamples&, std::size_t)>& each) {
        std::vector<double> samples(count);
        for (std::size_t i = 0; i < count; ++i) {
            samples[i] = each(*this, i);
        }
        return samples;
    }

    /// Samples around `level` with relative noise.
    std::vector<double> noisy(std::size_t count, double level, double noise) {
        return make(count,
                    [&](MadeUpSamples& made, std::size_t) { return level * (1 + noise * made.normal()); });
    }

  private:
    std::mt19937_64 random;
};

}  // namespace et::test
