#pragma once

#include "inspector/size/size_map.h"
#include "runtime/core/mapped_file.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

/// Tensors and blobs with equal bytes at different positions.
struct DuplicateGroup {
    std::uint64_t bytes = 0;          ///< of one
    std::vector<std::size_t> pieces;  ///< indices into SizeMap::pieces; two or more
    /// Bytes saved by storing only one copy.
    [[nodiscard]] std::uint64_t wasted() const { return bytes * (pieces.size() - 1); }
};

/// Display text for why the bytes are repeated: "each delegate has a copy of its own".
[[nodiscard]] std::string whyRepeated(const SizeMap& map, const DuplicateGroup& group);

/// Content that is stored redundantly.
struct RepeatedContent {
    std::vector<DuplicateGroup> duplicates;  ///< the largest waste first
    /// Pieces in which all bytes are equal, usually 0; they could be generated when loading.
    std::vector<std::size_t> uniform;
};

/// Finds repeated content, ignoring pieces shorter than `least` bytes, for which a reference costs as much.
/// Reads every byte at most once, in parallel on all processors, and releases pages of mapped files after
/// reading them.
[[nodiscard]] RepeatedContent repeatedContent(const SizeMap& map, std::uint64_t least = 64);

}  // namespace et::inspector
