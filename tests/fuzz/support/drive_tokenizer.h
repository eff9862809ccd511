#pragma once

#include "inspector/tokenizers/tokenizer.h"

#include <string_view>

namespace et::fuzz {

/// Encodes, decodes and streams with a tokenizer, and checks its guarantees: ids of the vocabulary, valid
/// UTF-8, deterministic results. Texts are `text` and some of the vocabulary's own pieces.
void driveTokenizer(const inspector::Tokenizer& tokenizer, std::string_view text);

}  // namespace et::fuzz
