#pragma once

#include "inspector/tokenizers/tokenizer.h"
#include "runtime/core/result.h"

#include <memory>
#include <string_view>

// Readers of the tokenizer formats. Each accepts the bytes of a file and names fields in its errors; the
// caller adds the file.
namespace et::inspector::tokenizers::detail {

using OpenedTokenizer = core::Result<std::unique_ptr<Tokenizer>>;

/// Maximum number of tokens, above any real tokenizer.
inline constexpr std::size_t maxTokens = std::size_t{1} << 22;
/// Maximum size of a token that is searched for in a text.
inline constexpr std::size_t maxTokenBytes = 4096;
inline constexpr std::size_t maxFileBytes = std::size_t{1} << 28;

/// llama2.c's tokenizer.bin: int32 vocabulary size, BOS, EOS, longest token; then for each token float32
/// score, int32 size, bytes. Tokens missing at the end are "<pad>".
[[nodiscard]] OpenedTokenizer openLlama2c(std::string_view bytes);
[[nodiscard]] bool looksLikeLlama2c(std::string_view bytes);

/// tiktoken: one line per token with its bytes in base64, a space and its rank.
[[nodiscard]] OpenedTokenizer openTiktoken(std::string_view bytes);
[[nodiscard]] bool looksLikeTiktoken(std::string_view bytes);

/// Mistral's tekken.json.
[[nodiscard]] OpenedTokenizer openTekken(std::string_view bytes);

/// SentencePiece's ModelProto.
[[nodiscard]] OpenedTokenizer openSentencePiece(std::string_view bytes);
[[nodiscard]] bool looksLikeSentencePiece(std::string_view bytes);

/// Hugging Face's tokenizer.json, and its tokenizer_config.json (empty: missing).
[[nodiscard]] OpenedTokenizer openHuggingFace(std::string_view bytes, std::string_view config);
[[nodiscard]] bool looksLikeJson(std::string_view bytes);

}  // namespace et::inspector::tokenizers::detail
