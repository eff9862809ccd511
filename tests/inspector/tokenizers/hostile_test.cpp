// Tests of tokenizer files that require excessive time or memory, or refer to missing bytes.
#include "inspector/tokenizers/detail/charsmap.h"
#include "inspector/tokenizers/tokenizer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>

namespace et::test {
namespace {

using inspector::TokenId;
using inspector::Tokenizer;
using testing::HasSubstr;

constexpr const char* letters =
    R"({"type": "WordLevel", "vocab": {"a": 0, "<unk>": 1}, "unk_token": "<unk>"})";

/// Returns a tokenizer.json with a model and more members, such as `"normalizer": {...}`.
std::string jsonOf(std::string_view model, std::string_view more = "") {
    return fmt::format(R"({{"model": {}{}{}}})", model, more.empty() ? "" : ", ", more);
}

std::unique_ptr<Tokenizer> opened(const std::string& bytes, const std::string& name = "tokenizer.json") {
    auto tokenizer = inspector::openTokenizerBytes(bytes, name);
    EXPECT_TRUE(tokenizer) << tokenizer.error().toString();
    return tokenizer ? std::move(*tokenizer) : nullptr;
}

std::string refusal(const std::string& bytes) {
    const auto tokenizer = inspector::openTokenizerBytes(bytes, "file");
    return tokenizer ? "it opens" : tokenizer.error().toString();
}

std::string repeated(std::string_view text, std::size_t count, std::string_view between = "") {
    std::string all;
    for (std::size_t i = 0; i < count; ++i) {
        all.append(i > 0 ? between : "").append(text);
    }
    return all;
}

TEST(HostileTokenizers, StepsThatMultiplyATextAreLimited) {
    const std::string tenfold = R"({"type": "Replace", "pattern": {"String": "a"}, "content": "aaaaaaaaaa"})";
    const std::string list = repeated(tenfold, 12, ", ");
    const auto writing = opened(
        jsonOf(letters, fmt::format(R"("normalizer": {{"type": "Sequence", "normalizers": [{}]}})", list)));
    const auto ids = writing->encode("a");
    ASSERT_FALSE(ids);
    EXPECT_EQ(ids.error().code, core::ErrorCode::Limit);
    EXPECT_THAT(ids.error().message, HasSubstr("too long a text"));
    const auto reading =
        opened(jsonOf(letters, fmt::format(R"("decoder": {{"type": "Sequence", "decoders": [{}]}})", list)));
    const TokenId a = 0;
    EXPECT_FALSE(reading->decode({&a, 1}));
    const auto cutting = opened(
        jsonOf(letters, fmt::format(R"("pre_tokenizer": {{"type": "Sequence", "pretokenizers": [{}]}})",
                                    repeated(R"({"type": "ByteLevel", "use_regex": false})", 60, ", "))));
    EXPECT_FALSE(cutting->encode("\xC3\xA9"));
    // Real tokenizers stay far below this limit.
    const auto twice =
        opened(jsonOf(letters, fmt::format(R"("normalizer": {{"type": "Sequence", "normalizers": [{}, {}]}})",
                                           tenfold, tenfold)));
    EXPECT_TRUE(twice->encode(std::string(1 << 16, 'a')));
}

/// Ends, with ids or at a limit; the time limit of the test stops one that does not.
TEST(HostileTokenizers, SlowPatternsTerminate) {
    for (const char* pattern :
         {"(a*)*b", "(a|aa)+$b", "a*a*a*a*a*b", "(?:a?){30}a{30}b", "(.*)*(.*)*x", "(?R)?b"}) {
        const auto tokenizer = inspector::openTokenizerBytes(
            jsonOf(letters,
                   fmt::format(R"("pre_tokenizer": {{"type": "Split", "pattern": {{"Regex": "{}"}}}})",
                               pattern)),
            "t");
        if (tokenizer) {
            const auto ids = (*tokenizer)->encode(std::string(3000, 'a'));
            EXPECT_TRUE(ids || ids.error().code == core::ErrorCode::Limit) << pattern;
        }
    }
}

TEST(HostileTokenizers, TemplateCannotAddMillionsOfTokens) {
    const std::string ids = repeated("1", 1000, ",");
    const std::string uses = repeated(R"({"SpecialToken": {"id": "x"}})", 1000, ",");
    EXPECT_THAT(refusal(jsonOf(
                    letters, fmt::format(R"("post_processor": {{"type": "TemplateProcessing", "single": [{}],
                    "special_tokens": {{"x": {{"ids": [{}]}}}}}})",
                                         uses, ids))),
                HasSubstr("more than 65536 tokens on one side"));
}

TEST(HostileTokenizers, LongWordsAndPiecesAreQuick) {
    const std::string longest(4096, 'a');
    const auto tokenizer = opened(
        jsonOf(fmt::format(R"({{"type": "WordPiece", "vocab": {{"[UNK]": 0, "a": 1, "##a": 2, "##{}b": 3}},
                                      "max_input_chars_per_word": 10000}})",
                           longest.substr(0, 4000))));
    const auto ids = tokenizer->encode(std::string(10000, 'a'));
    ASSERT_TRUE(ids);
    EXPECT_EQ(ids->size(), 10000U);
    EXPECT_EQ(ids->front(), 1U);
    EXPECT_EQ(ids->back(), 2U);
    EXPECT_THAT(refusal(jsonOf(fmt::format(R"({{"type": "WordLevel", "vocab": {{"{}a": 0}}}})", longest))),
                HasSubstr("token too long: 4097 bytes"));
}

TEST(HostileTokenizers, InvisibleTokensDoNotStallTheStream) {
    const auto tokenizer = opened(
        jsonOf(letters, R"("decoder": {"type": "Replace", "pattern": {"String": "<unk>"}, "content": ""})"));
    inspector::TokenStream stream(*tokenizer);
    std::string text;
    for (int count = 0; count < 2000; ++count) {
        text += stream.push(count % 1000 == 999 ? 0 : 1).value();
    }
    EXPECT_EQ(text + stream.flush(), "aa");
}

template <class T>
void append(T value, std::string& out) {
    std::string bytes(sizeof value, '\0');
    std::memcpy(bytes.data(), &value, sizeof value);
    out += bytes;
}

TEST(HostileTokenizers, SmallFileCannotDeclareMillionsOfTokens) {
    std::string file;
    for (const std::int32_t number : {4'000'000, 1, 2, 5}) {
        append(number, file);
    }
    EXPECT_THAT(refusal(file), HasSubstr("vocabulary of 4000000 tokens, but the file contains 0"));
}

std::string charsMap(std::initializer_list<std::uint32_t> units, std::string_view replacements) {
    std::string blob;
    append(static_cast<std::uint32_t>(512 * sizeof(std::uint32_t)), blob);
    std::size_t count = 0;
    for (const std::uint32_t unit : units) {
        append(unit, blob);
        ++count;
    }
    for (; count < 512; ++count) {
        append(std::uint32_t{0}, blob);
    }
    return blob.append(replacements);
}

TEST(HostileTokenizers, TrieRootIsWithinBounds) {
    using inspector::tokenizers::detail::CharsMap;
    const std::string_view end("\0", 1);
    EXPECT_TRUE(CharsMap::open(charsMap({0}, end)));
    const auto map = CharsMap::open(charsMap({0xFFFFFE00}, end));
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().message, "the trie begins with a value");
    const auto larger = CharsMap::open(charsMap({0}, std::string(300, 'x').append(end)));
    ASSERT_FALSE(larger);
    EXPECT_EQ(larger.error().message, "a replacement exceeds 256 bytes");
}

/// Returns a bytes field of a protocol buffer.
std::string field(int number, std::string_view bytes) {
    return std::string(1, static_cast<char>((number << 3) | 2))
        .append(1, static_cast<char>(bytes.size()))
        .append(bytes);
}

TEST(HostileTokenizers, UnknownTokensOfSentencePieceAreText) {
    const std::string unknown = field(1, field(1, "<unk>") + "\x18\x02");
    const std::string piece = field(1, field(1, "a"));
    const auto file = [&](std::string_view surface) {
        // Field 44, bytes.
        return unknown + piece +
               field(2, std::string("\xE2\x02").append(1, static_cast<char>(surface.size())).append(surface));
    };
    const auto tokenizer = opened(file(" ? "), "tokenizer.model");
    const TokenId id = 0;
    EXPECT_EQ(tokenizer->decode({&id, 1}).value(), " ? ");
    EXPECT_THAT(refusal(file("\xFF\xFE")), HasSubstr("trainer_spec.unk_surface: expected a string"));
}

}  // namespace
}  // namespace et::test
