#pragma once

#include <random>
#include <string>
#include <string_view>

// Files of tokenizers that are no JSON, with something changed. Empty where the bytes are no such file.
namespace et::fuzz {

/// A message of protocol buffers (SentencePiece) with a field changed, removed, given twice or moved, at the
/// top or in a message within; sizes are right.
[[nodiscard]] std::string mutateMessage(std::string_view bytes, std::mt19937_64& random);

/// tiktoken's lines with a rank, the bytes of a token or the order changed, base64 being right.
[[nodiscard]] std::string mutateRanks(std::string_view bytes, std::mt19937_64& random);

/// llama2.c's records with a score, a token, the header or the order changed, sizes being right.
[[nodiscard]] std::string mutateRecords(std::string_view bytes, std::mt19937_64& random);

}  // namespace et::fuzz
