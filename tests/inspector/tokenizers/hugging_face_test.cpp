// Tests details of Hugging Face tokenizers, with the ids that its library returns.
#include "inspector/tokenizers/tokenizer.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

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

std::unique_ptr<Tokenizer> openedJson(std::string_view json) {
    auto tokenizer = inspector::openTokenizerBytes(json, "tokenizer.json");
    EXPECT_TRUE(tokenizer) << tokenizer.error().toString();
    return tokenizer ? *std::move(tokenizer) : nullptr;
}

/// A token whose blanks an earlier token stripped is not found again.
TEST(HuggingFace, AddedTokensStripBlanksOnce) {
    const auto tokenizer = openedJson(
        R"({"added_tokens": [{"id": 2, "content": "<m>", "lstrip": true, "rstrip": true, "normalized": false},)"
        R"({"id": 3, "content": "  ", "lstrip": true, "rstrip": true, "normalized": false},)"
        R"({"id": 4, "content": "<n>", "rstrip": true, "normalized": false}],)"
        R"("pre_tokenizer": {"type": "WhitespaceSplit"},)"
        R"("model": {"type": "WordLevel", "vocab": {"?": 0, "a": 1}, "unk_token": "?"}})");
    ASSERT_NE(tokenizer, nullptr);
    EXPECT_EQ(encoded(*tokenizer, "a    a"), (std::vector<TokenId>{1, 3, 1}));
    EXPECT_EQ(encoded(*tokenizer, "a<n>     a"), (std::vector<TokenId>{1, 4, 1}));
    EXPECT_EQ(encoded(*tokenizer, "<n>   <m>  <m>a"), (std::vector<TokenId>{4, 2, 2, 1}));
    EXPECT_EQ(encoded(*tokenizer, "a  <m>     a  "), (std::vector<TokenId>{1, 3, 2, 1, 3}));
}

/// Characters added to Unicode later are not decomposed, and are no marks, punctuation or controls.
TEST(HuggingFace, NormalizesByOlderTables) {
    const auto compatible = openedJson(
        R"({"normalizer": {"type": "NFKC"}, "pre_tokenizer": {"type": "WhitespaceSplit"},)"
        R"("model": {"type": "WordLevel", "unk_token": "?",)"
        "\"vocab\": {\"?\": 0, \"4\": 1, \"\U0001FBF4\": 2, \"\u00e1\": 3, \"a\u0897\u0301\": 4}}}");
    ASSERT_NE(compatible, nullptr);
    EXPECT_EQ(encoded(*compatible, "\uff14 \U0001FBF4 a\u0301 a\u0897\u0301"),
              (std::vector<TokenId>{1, 2, 3, 4}));
    const auto bert = openedJson(
        R"({"normalizer": {"type": "BertNormalizer"}, "pre_tokenizer": {"type": "BertPreTokenizer"},)"
        R"("model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "a": 1,)"
        "\"a\u089b\": 2, \"a\u2e52\": 3, \"!\": 4, \"a\u0890\": 5}}}");
    ASSERT_NE(bert, nullptr);
    EXPECT_EQ(encoded(*bert, "a\u0301 a\u089b a\u2e52 a! a\u0890"), (std::vector<TokenId>{1, 2, 3, 1, 4, 5}));
}

/// Real tokenizers, on characters that newer tables would normalize.
TEST(HuggingFace, EncodesLaterCharactersAsTheLibrary) {
    ET_NEEDS_SHARED_DATA();
    const auto at = sharedData() / "llm/tokenizers";
    const auto unigram = inspector::openTokenizer((at / "hf_unigram").string()).value();
    EXPECT_EQ(encoded(*unigram, "\x7f\u0130\U0001e03c hardwarepage 8;\u0178\u00c5  "),
              (std::vector<TokenId>{3, 2, 319, 18, 96, 3, 239, 277, 2, 3}));
    EXPECT_EQ(encoded(*unigram, "\u200b\u202en'toftemplateembedded\U0001fbf4looks ATen"),
              (std::vector<TokenId>{3,  2,  24, 155, 7,  10, 34, 85, 144, 19, 109, 5,
                                    17, 44, 27, 14,  27, 2,  19, 10, 10,  49, 4,   245}));
    const auto pieces = inspector::openTokenizer((at / "hf_wordpiece").string()).value();
    EXPECT_EQ(encoded(*pieces, "\u2460 \u00c3\u00a9t\u00c3\u00a9 the\u089b"),
              (std::vector<TokenId>{1, 1, 1}));
}

}  // namespace
}  // namespace et::test
