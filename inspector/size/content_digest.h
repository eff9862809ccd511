#pragma once

#include "runtime/core/mapped_file.h"

#include <compare>
#include <cstdint>

namespace et::inspector {

/// What stands for some content: equal for equal bytes. Two polynomials modulo 2^61 - 1, one over words of
/// eight bytes, one over their upper halves, so that words that are equal modulo the prime differ in the
/// other. Different contents of the same size collide with a probability of less than their number of words /
/// 2^61, whoever made them, as long as the points are not known.
struct ContentDigest {
    std::uint64_t words = 0;
    std::uint64_t halves = 0;

    auto operator<=>(const ContentDigest&) const = default;
};

/// Where the polynomials are evaluated.
class DigestPoints {
  public:
    /// Random ones, which no file can know.
    [[nodiscard]] static DigestPoints random();
    DigestPoints(std::uint64_t forWords, std::uint64_t forHalves);

    /// The digest of `before` followed by `more`, whose size is a multiple of blockBytes unless it is the
    /// last.
    [[nodiscard]] ContentDigest append(ContentDigest before, core::Bytes more) const;

    static constexpr std::size_t blockBytes = 64;

  private:
    static constexpr std::size_t lanes = blockBytes / sizeof(std::uint64_t);
    std::uint64_t wordPowers[lanes + 1]{};
    std::uint64_t halfPowers[lanes + 1]{};
};

}  // namespace et::inspector
