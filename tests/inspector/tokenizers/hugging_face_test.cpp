// Tests details of Hugging Face tokenizers, with the ids that its library returns.
#include "inspector/tokenizers/tokenizer.h"
#include "tests/support/scratch_folder.h"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {
namespace {

using inspector::TokenId;
using inspector::Tokenizer;

std::vector<TokenId> encoded(const Tokenizer& tokenizer, std::string_view text) {
    const auto ids = tokenizer.encode(text);
    EXPECT_TRUE(ids) << ids.error().toString();
    return ids.value_or(std::vector<TokenId>());
}

TEST(HuggingFace, WordsIncludeCharactersThatJoin) {
    const auto tokenizer = inspector::openTokenizerBytes(
        R"({"pre_tokenizer": {"type": "Whitespace"}, "model": {"type": "WordLevel", "unk_token": "?",)"
        "\"vocab\": {\"?\": 0, \"x\": 1, \"y\": 2, \"x\u200cy\": 3, \"x\u200dy\": 4}}}",
        "tokenizer.json");
    ASSERT_TRUE(tokenizer) << tokenizer.error().toString();
    EXPECT_EQ(encoded(**tokenizer, "x\u200cy x\u200dy x y"), (std::vector<TokenId>{3, 4, 1, 2}));
}

/// Hugging Face writes int(1e30) as the maximum length of models without one.
TEST(HuggingFace, AConfigurationMayHaveIntegersAbove64Bits) {
    const ScratchFolder folder;
    std::ofstream(folder.path() / "tokenizer.json")
        << R"({"added_tokens": [{"id": 1, "content": "<1000000000000000000000>", "special": true}],)"
           R"("model": {"type": "WordLevel", "vocab": {"x": 0}, "unk_token": "x"}})";
    std::ofstream(folder.path() / "tokenizer_config.json")
        << R"({"model_max_length": 1000000000000000019884624838656, "small": -12, "f": 1.5e3,)"
           R"("eos_token": "<1000000000000000000000>"})";
    const auto tokenizer = inspector::openTokenizer((folder.path() / "tokenizer.json").string());
    ASSERT_TRUE(tokenizer) << tokenizer.error().toString();
    EXPECT_EQ((*tokenizer)->eos(), std::vector<TokenId>{1});
}

}  // namespace
}  // namespace et::test
