#pragma once

#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <memory>
#include <string_view>

// The readers of the formats. Each takes the bytes of a file and names fields in its errors; the caller adds
// the file.
namespace et::inspector::detail {

using OpenedTokenizer = core::Result<std::unique_ptr<Tokenizer>>;

/// More than any tokenizer has.
inline constexpr std::size_t maxTokens = std::size_t{1} << 22;
/// Of a token that is looked for in a text.
inline constexpr std::size_t maxTokenBytes = 4096;
inline constexpr std::size_t maxFileBytes = std::size_t{1} << 28;

/// llama2.c's tokenizer.bin: int32 vocabulary size, BOS, EOS, longest token; then for each token float32
/// score, int32 size, bytes. What is missing at the end is "<pad>".
[[nodiscard]] OpenedTokenizer openLlama2c(std::string_view bytes);
[[nodiscard]] bool looksLikeLlama2c(std::string_view bytes);

/// tiktoken: base64 of a token's bytes, a space and its rank, line by line.
[[nodiscard]] OpenedTokenizer openTiktoken(std::string_view bytes);
[[nodiscard]] bool looksLikeTiktoken(std::string_view bytes);

/// Mistral's tekken.json.
[[nodiscard]] OpenedTokenizer openTekken(std::string_view bytes);

/// SentencePiece's ModelProto.
[[nodiscard]] OpenedTokenizer openSentencePiece(std::string_view bytes);
[[nodiscard]] bool looksLikeSentencePiece(std::string_view bytes);

/// Hugging Face's tokenizer.json, and the tokenizer_config.json beside it (empty: there is none).
[[nodiscard]] OpenedTokenizer openHuggingFace(std::string_view bytes, std::string_view config);
[[nodiscard]] bool looksLikeJson(std::string_view bytes);

}  // namespace et::inspector::detail
