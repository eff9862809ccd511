#pragma once

#include "inspector/tokenizers/tokenizer.h"

#include <string_view>

namespace et::fuzz {

/// Encodes, decodes and streams with a tokenizer that was read, and holds what it promises: ids of the
/// vocabulary, texts that are UTF-8, the same answer again. Texts are `text` and some of the vocabulary's
/// own pieces.
void driveTokenizer(const inspector::Tokenizer& tokenizer, std::string_view text);

}  // namespace et::fuzz
