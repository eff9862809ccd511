// Hugging Face tokenizers of a few tokens: each component does what its library's does.
#include "tests/inspector/tokenizers/tiny_tokenizers.h"
#include "tests/support/scratch_folder.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace et::test {
namespace {

using inspector::SpecialTokens;
using inspector::TokenId;
using inspector::TokenStream;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Ids = std::vector<TokenId>;

TEST(HfBpe, MergesByteLevelWords) {
    const auto tokenizer = opened(tinyByteLevel().text());
    EXPECT_EQ(tokenizer->format(), "hf-bpe");
    EXPECT_THAT(idsOf(*tokenizer, "hi t"), ElementsAre(4, 5));
    EXPECT_THAT(idsOf(*tokenizer, "it h"), ElementsAre(1, 3, 2, 0));
    EXPECT_THAT(idsOf(*tokenizer, ""), IsEmpty());
    EXPECT_EQ(tokenizer->decode(Ids{4, 5}).value(), "hi t");
    EXPECT_EQ(tokenizer->vocabularySize(), 11U);
}

TEST(HfBpe, RecognisesSpecialTokensOrReadsThemAsText) {
    const auto tokenizer = opened(tinyByteLevel().text());
    EXPECT_THAT(idsOf(*tokenizer, "hi<|end|>hi"), ElementsAre(4, 10, 4));
    EXPECT_THAT(idsOf(*tokenizer, "hi<|end|>hi", SpecialTokens::PlainText), ElementsAre(4, 4));
    EXPECT_TRUE(tokenizer->isSpecial(10));
    EXPECT_EQ(tokenizer->decode(Ids{4, 10}).value(), "hi<|end|>");
}

TEST(HfBpe, StreamsNeverHalfACharacter) {
    const auto tokenizer = opened(tinyByteLevel().text());
    TokenStream stream(*tokenizer);
    EXPECT_EQ(stream.push(4).value(), "hi");
    for (const TokenId id : {6U, 7U, 8U}) {
        EXPECT_EQ(stream.push(id).value(), "");
    }
    EXPECT_EQ(stream.push(9).value(), "😀");
    EXPECT_EQ(stream.push(6).value(), "");
    EXPECT_EQ(stream.flush(), "\xEF\xBF\xBD");
    EXPECT_EQ(stream.push(4).value(), "hi");
    EXPECT_FALSE(stream.push(99));
}

TEST(HfBpe, TakesMergesAsStringsAndAsPairs) {
    HfJson pairs = tinyByteLevel();
    pairs.model = R"({"vocab": {"h": 0, "i": 1, "hi": 2}, "merges": [["h", "i"]]})";
    HfJson strings = pairs;
    strings.model =
        R"({"type": "BPE", "vocab": {"h": 0, "i": 1, "hi": 2}, "merges": ["#version: 0.2", "h i"]})";
    EXPECT_THAT(idsOf(*opened(pairs.text()), "hi"), ElementsAre(2));
    EXPECT_THAT(idsOf(*opened(strings.text()), "hi"), ElementsAre(2));
}

TEST(HfBpe, IgnoresMergesForWholeWordsWhenToldTo) {
    HfJson json = tinyByteLevel();
    json.model =
        R"({"type": "BPE", "ignore_merges": true, "vocab": {"h": 0, "i": 1, "hi": 2, "hih": 3}, "merges": []})";
    const auto tokenizer = opened(json.text());
    EXPECT_THAT(idsOf(*tokenizer, "hih"), ElementsAre(3));
    EXPECT_THAT(idsOf(*tokenizer, "hi"), ElementsAre(2));
    EXPECT_THAT(idsOf(*tokenizer, "hhi"), ElementsAre(0, 0, 1));
}

TEST(HfBpe, FallsBackToBytes) {
    const auto tokenizer = opened(tinyByteFallback().text());
    EXPECT_THAT(idsOf(*tokenizer, "a b"), ElementsAre(260, 257, 259));
    EXPECT_THAT(idsOf(*tokenizer, "é"), ElementsAre(257, 0xC3 + 1, 0xA9 + 1));
    EXPECT_EQ(tokenizer->decode(Ids{260, 0xC3 + 1, 0xA9 + 1}).value(), "aé");
    EXPECT_EQ(tokenizer->decode(Ids{260, 0xC3 + 1}).value(), "a\xEF\xBF\xBD");
}

TEST(HfBpe, FusesUnknownCharactersAlsoInLongWords) {
    HfJson json;
    json.model = R"({"type": "BPE", "unk_token": "<unk>", "fuse_unk": true,
                    "vocab": {"<unk>": 0, "a": 1, "b": 2, "ab": 3}, "merges": ["a b"]})";
    const auto fusing = opened(json.text());
    const std::string text = "abababababababab<|<|ababababababababab";
    EXPECT_THAT(idsOf(*fusing, text), ElementsAre(3, 3, 3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 3, 3, 3));
    json.model = R"({"type": "BPE", "vocab": {"a": 1, "b": 2, "ab": 3, "x": 0}, "merges": ["a b"]})";
    const auto dropping = opened(json.text());  // without an unknown token characters go, and neighbours meet
    EXPECT_THAT(idsOf(*dropping, "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxa<b"), testing::Contains(3U));
}

TEST(HfBpe, DecoratesCharactersWithPrefixAndSuffix) {
    HfJson json;
    json.preTokenizer = R"({"type": "WhitespaceSplit"})";
    json.model =
        R"({"type": "BPE", "unk_token": "?", "continuing_subword_prefix": "##", "end_of_word_suffix": "</w>",
                    "vocab": {"?": 0, "a": 1, "##b": 2, "##c</w>": 3, "ab": 4, "a</w>": 5}, "merges": ["a ##b"]})";
    json.decoder = R"({"type": "BPEDecoder", "suffix": "</w>"})";
    const auto tokenizer = opened(json.text());
    EXPECT_THAT(idsOf(*tokenizer, "abc a"), ElementsAre(4, 3, 5));
    EXPECT_EQ(tokenizer->decode(Ids{5, 5}).value(), "a a");
}

TEST(HfBpe, IsFastOnOneLongWord) {
    HfJson json = tinyByteLevel();
    json.model =
        R"({"type": "BPE", "vocab": {"h": 0, "i": 1, "hh": 2, "hhhh": 3, "hi": 4}, "merges": ["h h", "hh hh", "h i"]})";
    const auto tokenizer = opened(json.text());
    EXPECT_EQ(idsOf(*tokenizer, std::string(1'000'000, 'h')).size(), 250'000U);
}

TEST(HfUnigram, TakesTheLikeliestWay) {
    const auto tokenizer = opened(tinyUnigram().text());
    EXPECT_THAT(idsOf(*tokenizer, "ab"), ElementsAre(5));
    EXPECT_THAT(idsOf(*tokenizer, "abab"), ElementsAre(5, 4));
    EXPECT_THAT(idsOf(*tokenizer, "ab xyz a"), ElementsAre(5, 1, 0, 1, 2));
    EXPECT_EQ(tokenizer->decode(Ids{5, 1, 2}).value(), "ab a");
}

TEST(HfUnigram, NeedsAnUnknownTokenForUnknownText) {
    HfJson json = tinyUnigram();
    json.model = R"({"type": "Unigram", "unk_id": null, "vocab": [["▁", -2], ["a", -3]]})";
    const auto tokenizer = opened(json.text());
    const auto ids = tokenizer->encode("z");
    ASSERT_FALSE(ids);
    EXPECT_THAT(ids.error().toString(), HasSubstr("model.unk_id"));
}

TEST(HfWordPiece, TakesTheLongestPieces) {
    const auto tokenizer = opened(tinyWordPiece().text());
    EXPECT_EQ(tokenizer->format(), "hf-wordpiece");
    EXPECT_THAT(idsOf(*tokenizer, "Playing a plåyed."), ElementsAre(3, 4, 6, 3, 5, 7));
    EXPECT_THAT(idsOf(*tokenizer, "played中playx [CLS]"), ElementsAre(3, 5, 8, 0, 1));
    EXPECT_THAT(idsOf(*tokenizer, "playinginging"), ElementsAre(0)) << "longer than max_input_chars_per_word";
    EXPECT_EQ(tokenizer->decode(Ids{3, 4, 6, 7}).value(), "playing a.");
    EXPECT_THAT(tokenizer->ownTemplate().before, ElementsAre(1));
    EXPECT_THAT(tokenizer->ownTemplate().after, ElementsAre(2));
}

struct SplitCase {
    const char* behavior;
    bool invert;
    std::vector<std::string> parts;
};

TEST(HfSplit, CutsByEveryBehaviour) {
    const std::vector<std::string> words{"a", "b", "-", "--", "a--", "--b", "a-", "-b"};
    const SplitCase cases[] = {
        {"Removed", false, {"a", "b"}},
        {"Isolated", false, {"a", "-", "-", "b"}},
        {"Contiguous", false, {"a", "--", "b"}},
        {"MergedWithPrevious", false, {"a-", "-", "b"}},
        {"MergedWithNext", false, {"a", "-", "-b"}},
        {"Removed", true, {"-", "-"}},
        {"MergedWithPrevious", true, {"a", "-", "-b"}},
    };
    for (const SplitCase& each : cases) {
        HfJson json;
        json.model = wordLevelModel(words);
        json.preTokenizer = fmt::format(
            R"({{"type": "Split", "pattern": {{"String": "-"}}, "behavior": "{}", "invert": {}}})",
            each.behavior, each.invert);
        const auto tokenizer = opened(json.text());
        std::vector<std::string> parts;
        for (const TokenId id : idsOf(*tokenizer, "a--b")) {
            parts.push_back(tokenizer->piece(id));
        }
        EXPECT_EQ(parts, each.parts) << each.behavior << each.invert;
    }
}

TEST(HfMetaspace, PrependsByScheme) {
    const auto ids = [](const char* scheme) {
        HfJson json;
        json.model = wordLevelModel({"▁a", "a", "▁b"});
        json.addedTokens = R"([{"id": 4, "content": "<s>", "special": true}])";
        json.preTokenizer =
            fmt::format(R"({{"type": "Metaspace", "replacement": "▁", "prepend_scheme": "{}"}})", scheme);
        return idsOf(*opened(json.text()), "a b<s>a");
    };
    EXPECT_THAT(ids("always"), ElementsAre(1, 3, 4, 1));
    EXPECT_THAT(ids("first"), ElementsAre(1, 3, 4, 2));
    EXPECT_THAT(ids("never"), ElementsAre(2, 3, 4, 2));
}

TEST(HfAddedTokens, TakeBlanksAndWordsAsTheySay) {
    HfJson json;
    json.model = wordLevelModel({"x", "cats", "y ", " y"});
    json.addedTokens = R"([{"id": 5, "content": "<l>", "lstrip": true, "normalized": false},
                           {"id": 6, "content": "<r>", "rstrip": true, "normalized": false},
                           {"id": 7, "content": "cat", "single_word": true, "normalized": false},
                           {"id": 8, "content": "New", "normalized": true}])";
    json.normalizer = R"({"type": "Lowercase"})";
    const auto tokenizer = opened(json.text());
    EXPECT_THAT(idsOf(*tokenizer, "x  <l>x"), ElementsAre(1, 5, 1));
    EXPECT_THAT(idsOf(*tokenizer, "x<r> \n x"), ElementsAre(1, 6, 1));
    EXPECT_THAT(idsOf(*tokenizer, "cat"), ElementsAre(7));
    EXPECT_THAT(idsOf(*tokenizer, "cats"), ElementsAre(2));
    EXPECT_THAT(idsOf(*tokenizer, "xNEWx"), ElementsAre(1, 8, 1));
}

TEST(HfSpecialIds, ComeFromTheConfigOrFromNames) {
    HfJson json = tinyByteLevel();
    EXPECT_EQ(opened(json.text())->bos(), 10U) << "guessed: the only one, for both";
    const ScratchFolder folder;
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(folder.path() / name) << text;
    };
    write("tokenizer.json", json.text());
    write("tokenizer_config.json", R"({"bos_token": null, "eos_token": {"content": "<|end|>"}})");
    const auto tokenizer = inspector::openTokenizer(folder.path().string());
    ASSERT_TRUE(tokenizer) << tokenizer.error().toString();
    EXPECT_FALSE((*tokenizer)->bos());
    EXPECT_THAT((*tokenizer)->eos(), ElementsAre(10));
    write("tokenizer_config.json", "[");
    const auto broken = inspector::openTokenizer(folder.path().string());
    ASSERT_FALSE(broken);
    EXPECT_THAT(broken.error().toString(), HasSubstr("tokenizer_config.json"));
}

}  // namespace
}  // namespace et::test
