#pragma once

#include <cstdint>

namespace et::samples {

/// Random numbers that are identical on every machine, unlike those of the standard's distributions.
/// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state(seed) {}

    std::uint64_t next() {
        state += 0x9e3779b97f4a7c15U;
        std::uint64_t mixed = state;
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31U);
    }

    /// In [low, high), one of 2^24 evenly spaced numbers.
    float uniform(float low, float high) {
        constexpr unsigned unusedBits = 40;
        constexpr float steps = 16777216.0F;
        return low + (high - low) * (static_cast<float>(next() >> unusedBits) / steps);
    }

  private:
    std::uint64_t state;
};

}  // namespace et::samples
