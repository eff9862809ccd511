#pragma once

#include "runtime/core/mapped_file.h"

#include <compare>
#include <cstdint>

namespace et::inspector {

/// Digest of some content: equal for equal bytes. Two polynomials modulo 2^61 - 1, one over words of eight
/// bytes and one over their upper halves, so words that are equal modulo the prime still differ in the other.
/// Different contents of the same size collide with a probability below their number of words / 2^61, even
/// for adversarial inputs, provided that the points are secret.
struct ContentDigest {
    std::uint64_t words = 0;
    std::uint64_t halves = 0;

    auto operator<=>(const ContentDigest&) const = default;
};

/// Evaluation points of the polynomials.
class DigestPoints {
  public:
    /// Random points, which a file cannot anticipate.
    [[nodiscard]] static DigestPoints random();
    DigestPoints(std::uint64_t forWords, std::uint64_t forHalves);

    /// The digest of `before` followed by `more`. The size of `more` must be a multiple of blockBytes, except
    /// for the last call.
    [[nodiscard]] ContentDigest append(ContentDigest before, core::Bytes more) const;

    static constexpr std::size_t blockBytes = 64;

  private:
    static constexpr std::size_t lanes = blockBytes / sizeof(std::uint64_t);
    std::uint64_t wordPowers[lanes + 1]{};
    std::uint64_t halfPowers[lanes + 1]{};
};

}  // namespace et::inspector
