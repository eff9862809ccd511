#pragma once

#include <random>
#include <string>
#include <string_view>

// Mutations of tokenizer files that are not JSON. Empty if the bytes are not such a file.
namespace et::fuzz {

/// Changes, removes, repeats or moves a field of a protocol buffers message (SentencePiece), at the top or in
/// a nested message; sizes stay valid.
[[nodiscard]] std::string mutateMessage(std::string_view bytes, std::mt19937_64& random);

/// Changes a rank, the bytes of a token or the order of tiktoken's lines; base64 stays valid.
[[nodiscard]] std::string mutateRanks(std::string_view bytes, std::mt19937_64& random);

/// Changes a score, a token, the header or the order of llama2.c's records; sizes stay valid.
[[nodiscard]] std::string mutateRecords(std::string_view bytes, std::mt19937_64& random);

}  // namespace et::fuzz
