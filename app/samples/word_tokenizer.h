#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace et::samples {

/// Ids of the vocabulary of the language models.
inline constexpr std::int64_t bosToken = 1;
inline constexpr std::int64_t eosToken = 2;
inline constexpr std::int64_t firstByteToken = 3;
inline constexpr std::int64_t firstWordToken = firstByteToken + 256;

/// A vocabulary of bytes and words in the llama2.c format: the header (size, BOS, EOS, longest token), then
/// score, length and bytes of each token.
[[nodiscard]] std::vector<std::byte> wordTokenizer();

}  // namespace et::samples
