#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector {

/// Settings for choosing the next token, with the rules of ExecuTorch's runner
/// (docs/how_to/language_models.md).
struct SamplerSettings {
    double temperature = 0;  ///< 0: the most likely token; the lowest id for equal ones
    double topP = 0.9;       ///< outside 0 to 1: all tokens
    std::size_t topK = 0;    ///< 0, or the whole vocabulary: unused; otherwise replaces top-p
    std::uint64_t seed = 0;  ///< of the random numbers
};

/// The most likely token; the lowest id for equal ones, 0 without logits. NaN counts as the smallest.
[[nodiscard]] std::uint32_t mostLikely(std::span<const float> logits);

/// Samples tokens. Allocates only on construction.
class Sampler {
  public:
    Sampler(const SamplerSettings& settings, std::size_t vocabulary);

    /// `logits` has at most `vocabulary` elements; the random state advances from call to call.
    [[nodiscard]] std::uint32_t choose(std::span<const float> logits);

    /// The next random number, at least 0 and below 1: xorshift64* of the seed.
    [[nodiscard]] float coin();

  private:
    struct Candidate {
        float probability = 0;
        std::uint32_t id = 0;
    };
    [[nodiscard]] std::uint32_t fromAll(float chance) const;
    [[nodiscard]] std::uint32_t fromTopK(float chance);
    [[nodiscard]] std::uint32_t fromTopP(float chance);

    SamplerSettings rule;
    std::uint64_t state;
    std::vector<float> probabilities;
    std::vector<Candidate> candidates;
};

}  // namespace et::inspector
