#pragma once

#include "inspector/tokenizers/detail/hf_added_tokens.h"

namespace et::inspector::tokenizers::detail {

struct SpecialIds {
    std::optional<TokenId> bos;
    std::optional<TokenId> eos;
};

/// Determines BOS and EOS from tokenizer_config.json ("" for none), else from the only added token whose name
/// contains "bos" or "begin", "eos" or "end"; if only one of the two is found, both are the same (GPT-2's
/// <|endoftext|>). Errors: Format, Limit (the config), with the file's name in the field.
[[nodiscard]] core::Result<SpecialIds> readSpecialIds(std::string_view config, const AddedTokens& added,
                                                      const TokenModel& model);

}  // namespace et::inspector::tokenizers::detail
