#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace et::inspector {

/// A fast generator of numbers below a bound, the same on every machine, unlike
/// std::uniform_int_distribution.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : random(seed) {}
    std::size_t below(std::size_t bound) {
        constexpr unsigned half = 32;
        return static_cast<std::size_t>(((random() >> half) * bound) >> half);
    }

  private:
    std::mt19937_64 random;
};

}  // namespace et::inspector
