// The other formats, in files of a few tokens, and normalizers and pre-tokenizers one by one.
#include "tests/inspector/tokenizers/tiny_tokenizers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace et::test {
namespace {

using inspector::SpecialTokens;
using inspector::TokenId;
using inspector::TokenStream;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Ids = std::vector<TokenId>;

TEST(Tiktoken, MergesByRankAndHasLlama3sSpecials) {
    const auto tokenizer = opened(tinyTiktoken(), "tokenizer.model");
    EXPECT_EQ(tokenizer->format(), "tiktoken");
    EXPECT_THAT(idsOf(*tokenizer, "abc ab!"), ElementsAre(257, ' ', 256, '!'));
    EXPECT_EQ(tokenizer->vocabularySize(), 258U + 256U);
    EXPECT_EQ(tokenizer->bos(), 258U);
    EXPECT_EQ(tokenizer->find("<|eot_id|>"), 258U + 9U);
    EXPECT_THAT(idsOf(*tokenizer, "a<|eot_id|>"), ElementsAre('a', 267));
    EXPECT_EQ(idsOf(*tokenizer, "<|eot_id|>", SpecialTokens::PlainText).size(), 10U);
    EXPECT_EQ(tokenizer->decode(Ids{0xE2, 0x82, 'x'}).value(), "\xEF\xBF\xBDx")
        << "one for the start of a character";
}

TEST(Tiktoken, SaysWhichLineIsWrong) {
    EXPECT_THAT(refusal("YQ== 0\nYg== 0\n"), HasSubstr("line 2 at offset 7: rank 0 for a second time"));
    EXPECT_THAT(refusal("YQ== 0\n\nY*== 1\n"), HasSubstr("line 3"));
    EXPECT_THAT(refusal("YQ== 4000000\n"), HasSubstr("too high"));
    const auto tokenizer = opened("YQ== 0\n");
    const auto ids = tokenizer->encode("b");
    ASSERT_FALSE(ids);
    EXPECT_THAT(ids.error().toString(), HasSubstr("no token for byte 98"));
}

TEST(Tekken, PutsSpecialIdsFirst) {
    const auto tokenizer = opened(tinyTekken(), "tekken.json");
    EXPECT_EQ(tokenizer->format(), "tekken");
    EXPECT_THAT(idsOf(*tokenizer, "<s>ab!"), ElementsAre(1, 256 + 3, '!' + 3));
    EXPECT_EQ(tokenizer->bos(), 1U);
    EXPECT_THAT(tokenizer->eos(), ElementsAre(2));
    EXPECT_THAT(
        refusal(tinyTekken().replace(tinyTekken().find("\"rank\": 1,"), 10, "\"rank\": 7,"), "tekken.json"),
        HasSubstr("vocab[1].rank: expected rank 1, got 7"));
}

TEST(Llama2c, MergesByScore) {
    const auto tokenizer = opened(tinyLlama2c(), "tokenizer.bin");
    EXPECT_EQ(tokenizer->format(), "llama2c");
    EXPECT_THAT(idsOf(*tokenizer, "ab ab"), ElementsAre(263, 263));
    EXPECT_THAT(idsOf(*tokenizer, "bé"), ElementsAre(259, 261, 0xC3 + 3, 0xA9 + 3));
    EXPECT_EQ(tokenizer->decode(Ids{1, 263, 263, 0xC3 + 3, 0xA9 + 3}).value(), "<s>ab abé");
    EXPECT_FALSE(tokenizer->readsSpecialTokens());
}

TEST(Llama2c, PadsAShortFile) {
    std::string file = tinyLlama2c();
    file.resize(file.size() - 11);  // without its last token
    EXPECT_EQ(opened(file, "tokenizer.bin")->piece(263), "<pad>");
    file.resize(file.size() - 1);
    EXPECT_THAT(refusal(file, "tokenizer.bin"), HasSubstr("tokens[262]"));
}

TEST(SentencePiece, EncodesAndDecodes) {
    for (const unsigned type : {1U, 2U}) {
        const auto tokenizer = opened(tinySentencePiece(type), "tokenizer.model");
        EXPECT_EQ(tokenizer->format(), "sentencepiece");
        EXPECT_THAT(idsOf(*tokenizer, "ab ab"), ElementsAre(7, 7)) << type;
        EXPECT_THAT(idsOf(*tokenizer, "<s>b"), testing::Not(testing::Contains(1U)));
        EXPECT_EQ(tokenizer->decode(Ids{1, 7, 7, 0, 2}).value(), "ab ab ⁇ ");
        EXPECT_EQ(tokenizer->bos(), 1U);
        EXPECT_THAT(tokenizer->eos(), ElementsAre(2));
        TokenStream stream(*tokenizer);
        EXPECT_EQ(stream.push(3).value(), "");
        EXPECT_EQ(stream.push(4).value(), "a");
        EXPECT_EQ(stream.push(3).value(), " ");
    }
}

TEST(SentencePiece, NormalizesByItsMap) {
    const auto tokenizer = opened(tinySentencePiece(1, tinyCharsMap()), "tokenizer.model");
    EXPECT_THAT(idsOf(*tokenizer, "aA"), ElementsAre(7));
}

TEST(SentencePiece, RefusesWhatItsLibraryTrusts) {
    const std::string sound = tinySentencePiece(1);
    EXPECT_THAT(refusal(sound + spmPiece("a", 0)), HasSubstr("pieces[8]: \"a\" for a second time"));
    EXPECT_THAT(refusal(sound + spmPiece("other", 0, 2)), HasSubstr("expected one unknown piece, got 2"));
    EXPECT_THAT(refusal(sound + spmPiece(std::string("n\0l", 3), 0)), HasSubstr("pieces[8]"));
    EXPECT_THAT(refusal(sound + spmPiece("<0x00>", 0, 6)), HasSubstr("no byte of byte_fallback"));
    EXPECT_THAT(refusal(sound + spmPiece("x", 0, 9)), HasSubstr("type 9 is not known"));
    EXPECT_THAT(refusal(sound + wireBytes(2, wireInteger(3, 7))), HasSubstr("trainer_spec.model_type"));
    EXPECT_THAT(refusal(sound + wireBytes(5, wireBytes(2, "map"))), HasSubstr("denormalizer_spec"));
    EXPECT_THAT(refusal(sound.substr(0, sound.size() - 1)), HasSubstr("does not fit"));
    std::string map = tinyCharsMap();
    map[4 + (4 * 256) + 1] = '\x7F';  // a value behind the replacements
    EXPECT_THAT(refusal(tinySentencePiece(1, map)), HasSubstr("precompiled_charsmap"));
}

struct StepCase {
    const char* step;
    const char* text;
    std::vector<const char*> words;  ///< in the order of the text
};

/// The words of a text as a vocabulary of words has them.
std::vector<std::string> wordsOf(const HfJson& json, const std::vector<const char*>& words,
                                 std::string_view text) {
    HfJson whole = json;
    whole.model = wordLevelModel({words.begin(), words.end()});
    const auto tokenizer = opened(whole.text());
    std::vector<std::string> found;
    for (const TokenId id : tokenizer ? idsOf(*tokenizer, text) : Ids()) {
        found.push_back(tokenizer->piece(id));
    }
    return found;
}

TEST(HfNormalizers, ChangeTheText) {
    const StepCase cases[] = {
        {R"({"type": "NFC"})", "e\u0301", {"é"}},
        {R"({"type": "NFD"})", "é", {"e\u0301"}},
        {R"({"type": "NFKC"})", "ﬁ①", {"fi1"}},
        {R"({"type": "NFKD"})", "ﬁé", {"fie\u0301"}},
        {R"({"type": "Lowercase"})", "AbÉİ", {"abéi\u0307"}},
        {R"({"type": "Sequence", "normalizers": [{"type": "NFD"}, {"type": "StripAccents"}]})", "éü", {"eu"}},
        {R"({"type": "Strip"})", " \t a b\u3000", {"a b"}},
        {R"({"type": "Strip", "strip_left": false})", " a ", {" a"}},
        {R"({"type": "Prepend", "prepend": "_"})", "a", {"_a"}},
        {R"({"type": "Replace", "pattern": {"Regex": "\\s+"}, "content": "_"})", "a \n b", {"a_b"}},
        {R"({"type": "Replace", "pattern": {"String": "."}, "content": "_"})", "a.b", {"a_b"}},
        {R"({"type": "Nmt"})", "a\u200b\u0001b", {"a b"}},
        {R"({"type": "ByteLevel"})", "é ", {"Ã©Ġ"}},
        {R"({"type": "BertNormalizer", "strip_accents": false})", "É\u0001\u00A0中", {"é  中 "}},
        {R"({"type": "BertNormalizer", "lowercase": false, "handle_chinese_chars": false})", "É中", {"É中"}},
        {R"({"type": "Precompiled", "precompiled_charsmap": null})", "a", {"a"}},
    };
    for (const StepCase& each : cases) {
        HfJson json;
        json.normalizer = each.step;
        EXPECT_THAT(wordsOf(json, each.words, each.text), testing::ElementsAreArray(each.words)) << each.step;
    }
}

TEST(HfPreTokenizers, CutTheText) {
    const StepCase cases[] = {
        {R"({"type": "Whitespace"})", "a_1 b-c", {"a_1", "b", "-", "c"}},
        {R"({"type": "WhitespaceSplit"})", "a-1\u3000 b", {"a-1", "b"}},
        {R"({"type": "BertPreTokenizer"})", "a, b$", {"a", ",", "b", "$"}},
        {R"({"type": "Digits", "individual_digits": true})", "a12", {"a", "1", "2"}},
        {R"({"type": "Digits"})", "a12b", {"a", "12", "b"}},
        {R"({"type": "Punctuation"})", "a!?b", {"a", "!", "?", "b"}},
        {R"({"type": "Punctuation", "behavior": "Contiguous"})", "a!?b", {"a", "!?", "b"}},
        {R"({"type": "CharDelimiterSplit", "delimiter": "|"})", "a|b", {"a", "b"}},
        {R"({"type": "Split", "pattern": {"Regex": "\\p{N}{1,3}"}, "behavior": "Isolated"})",
         "a1234",
         {"a", "123", "4"}},
        {R"({"type": "Split", "pattern": {"Regex": "[\\w&&[^\\d]]+"}, "behavior": "Isolated"})",
         "ab12",
         {"ab", "12"}},
        {R"({"type": "Split", "pattern": {"Regex": "\\p{Han}+|\\h"}, "behavior": "Isolated"})",
         "g中fx",
         {"g", "中", "f", "x"}},
        {R"({"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, {"type": "Digits"}]})",
         "a1 b",
         {"a", "1", "b"}},
    };
    for (const StepCase& each : cases) {
        HfJson json;
        json.preTokenizer = each.step;
        EXPECT_THAT(wordsOf(json, each.words, each.text), testing::ElementsAreArray(each.words)) << each.step;
    }
}

TEST(Tokenizers, RefuseWhatTheyDoNotKnowWithItsField) {
    HfJson json = tinyByteLevel();
    json.preTokenizer =
        R"({"type": "Sequence", "pretokenizers": [{"type": "Split", "pattern": {"String": "a"}, "behavior": "Sideways"}]})";
    EXPECT_THAT(refusal(json.text()),
                HasSubstr("pre_tokenizer.pretokenizers[0].behavior: \"Sideways\" is not known"));
    json.preTokenizer = R"({"type": "Telepathy"})";
    EXPECT_THAT(refusal(json.text()), HasSubstr("pre_tokenizer.type: \"Telepathy\" is not known"));
    json = tinyByteLevel();
    json.normalizer = R"({"type": "Nice"})";
    EXPECT_THAT(refusal(json.text()), HasSubstr("normalizer.type"));
    json = tinyByteLevel();
    json.decoder = R"({"type": "CTC"})";
    EXPECT_THAT(refusal(json.text()), HasSubstr("decoder.type: \"CTC\""));
    json = tinyByteLevel();
    json.model = R"({"type": "BPE", "dropout": 0.5, "vocab": {}, "merges": []})";
    EXPECT_THAT(refusal(json.text()), HasSubstr("model.dropout: 0.5 is not known"));
    json.model = R"({"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]})";
    EXPECT_THAT(refusal(json.text()), HasSubstr("model.merges[0]: \"b\" is not in the vocabulary"));
    json.model = R"({"type": "BPE", "vocab": {"a": 4000000000}, "merges": []})";
    EXPECT_THAT(refusal(json.text()), HasSubstr("model.vocab[\"a\"]"));
    EXPECT_THAT(refusal(""), HasSubstr("no tokenizer"));
}

TEST(Tokenizers, EndPatternsThatBacktrackTooMuch) {
    HfJson json = tinyByteLevel();
    json.preTokenizer = R"re({"type": "Split", "pattern": {"Regex": "(a+)+$"}, "behavior": "Isolated"})re";
    const auto tokenizer = opened(json.text());
    const auto ids = tokenizer->encode(std::string(200, 'a') + "!");
    ASSERT_FALSE(ids);
    EXPECT_EQ(ids.error().code, core::ErrorCode::Limit);
    json.preTokenizer = R"re({"type": "Split", "pattern": {"Regex": "(a"}, "behavior": "Isolated"})re";
    EXPECT_THAT(refusal(json.text()), HasSubstr("pre_tokenizer.pattern.Regex: the pattern"));
}

TEST(Tokenizers, TakeOnlyUtf8AndIdsOfTheVocabulary) {
    const auto tokenizer = opened(tinyByteLevel().text());
    const auto ids = tokenizer->encode("ab\xFF");
    ASSERT_FALSE(ids);
    EXPECT_THAT(ids.error().toString(), HasSubstr("not UTF-8: byte 2"));
    const auto text = tokenizer->decode(Ids{11});
    ASSERT_FALSE(text);
    EXPECT_THAT(text.error().toString(), HasSubstr("token id 11 is outside of the vocabulary of 11"));
}

/// Files cut off anywhere, and with single bytes changed, open or are refused; what opens encodes or says why
/// not.
TEST(Tokenizers, TakeDamagedFiles) {
    const std::pair<std::string, const char*> files[] = {
        {tinyByteLevel().text(), "t.json"},       {tinyUnigram().text(), "t.json"},
        {tinyWordPiece().text(), "t.json"},       {tinySentencePiece(1, tinyCharsMap()), "t.model"},
        {tinySentencePiece(2), "t.model"},        {tinyLlama2c(), "t.bin"},
        {tinyTiktoken().substr(0, 200), "t.tok"}, {tinyTekken().substr(0, 700), "tekken.json"}};
    std::size_t sound = 0;
    const auto tryOut = [&](const std::string& bytes, const char* name) {
        const auto tokenizer = inspector::openTokenizerBytes(bytes, name);
        if (!tokenizer) {
            EXPECT_FALSE(tokenizer.error().message.empty());
            return;
        }
        ++sound;
        if (const auto ids = (*tokenizer)->encode("Hi ab, 1 <s>é")) {
            EXPECT_TRUE((*tokenizer)->decode(*ids));
        }
    };
    for (const auto& [bytes, name] : files) {
        for (std::size_t at = 0; at < bytes.size(); at += 1 + (bytes.size() / 400)) {
            tryOut(bytes.substr(0, at), name);
            for (const char change : {'\x01', '\x40', '\xFF'}) {
                std::string changed = bytes;
                changed[at] = static_cast<char>(changed[at] ^ change);
                tryOut(changed, name);
            }
        }
    }
    EXPECT_GT(sound, 100U);
}

}  // namespace
}  // namespace et::test
