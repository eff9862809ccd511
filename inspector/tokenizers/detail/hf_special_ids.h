#pragma once

#include "inspector/tokenizers/detail/hf_added_tokens.h"

namespace et::inspector::detail {

struct SpecialIds {
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
};

/// BOS and EOS: what a tokenizer_config.json says ("" for none), else the only added token whose name has
/// "bos" or "begin", "eos" or "end"; where one of the two is guessed and the other not, they are the same
/// (GPT-2's
/// <|endoftext|>). Errors: Format, Limit (the config), with the file's name in the field.
[[nodiscard]] core::Result<SpecialIds> readSpecialIds(std::string_view config, const AddedTokens& added,
                                                      const TokenModel& model);

}  // namespace et::inspector::detail
