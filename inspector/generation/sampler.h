#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace et::inspector {

/// How the next token is chosen. The rule is that of ExecuTorch's runner (docs/language_models.md).
struct SamplerSettings {
    double temperature = 0;  ///< 0: the most likely token, the lowest id of equals
    double topP = 0.9;       ///< outside of 0 to 1: all tokens
    std::size_t topK = 0;    ///< 0, or the whole vocabulary: not used; else top-p is not
    std::uint64_t seed = 0;  ///< of the coins
};

/// The most likely token; the lowest id of equals, 0 without logits. NaN counts as the least.
[[nodiscard]] std::uint32_t mostLikely(std::span<const float> logits);

/// Draws tokens. Its memory is taken when it is made.
class Sampler {
  public:
    Sampler(const SamplerSettings& settings, std::size_t vocabulary);

    /// Of at most as many logits as the vocabulary has; the state of the coins goes on from call to call.
    [[nodiscard]] std::uint32_t choose(std::span<const float> logits);

    /// The next coin, at least 0 and below 1: xorshift64* of the seed.
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
