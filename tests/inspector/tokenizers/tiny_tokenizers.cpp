#include "tests/inspector/tokenizers/tiny_tokenizers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <utility>

namespace et::test {
namespace {

using inspector::TokenId;
using inspector::Tokenizer;

void appendLittle(std::string& out, std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        out += static_cast<char>((value >> shift) & 0xFF);
    }
}

std::string varint(std::uint64_t value) {
    std::string out;
    for (; value >= 0x80; value >>= 7) {
        out += static_cast<char>((value & 0x7F) | 0x80);
    }
    return out + static_cast<char>(value);
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    for (std::size_t at = 0; at < bytes.size(); at += 3) {
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            bits = (bits << 8) | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
        }
        for (std::size_t i = 0; i < 4; ++i) {
            out += at + i > bytes.size() ? '=' : letters[(bits >> (18 - (6 * i))) & 63];
        }
    }
    return out;
}

std::string byteVocabulary() {
    std::string entries;
    for (unsigned byte = 0; byte < 256; ++byte) {
        entries += fmt::format(R"(, "<0x{:02X}>": {})", byte, byte + 1);
    }
    return entries;
}

}  // namespace

std::string HfJson::text() const {
    return fmt::format(
        R"({{"version": "1.0", "added_tokens": {}, "normalizer": {}, "pre_tokenizer": {}, "post_processor": {}, "decoder": {}, "model": {}}})",
        addedTokens, normalizer, preTokenizer, postProcessor, decoder, model);
}

HfJson tinyByteLevel() {
    return {.model =
                R"({"type": "BPE", "vocab": {"h": 0, "i": 1, "Ġ": 2, "t": 3, "hi": 4, "Ġt": 5, "ð": 6, "Ł": 7,
                        "ĺ": 8, "Ģ": 9}, "merges": ["h i", "Ġ t"]})",
            .addedTokens = R"([{"id": 10, "content": "<|end|>", "special": true}])",
            .preTokenizer = R"({"type": "ByteLevel", "add_prefix_space": false})",
            .decoder = R"({"type": "ByteLevel"})"};
}

HfJson tinyByteFallback() {
    return {
        .model =
            R"({"type": "BPE", "unk_token": "<unk>", "fuse_unk": true, "byte_fallback": true, "vocab": {"<unk>": 0)" +
            byteVocabulary() +
            R"(, "▁": 257, "a": 258, "b": 259, "▁a": 260, "ab": 261}, "merges": [["▁", "a"], ["a", "b"]]})",
        .addedTokens = R"([{"id": 262, "content": "<s>", "special": true}])",
        .normalizer = R"({"type": "Sequence", "normalizers": [{"type": "Prepend", "prepend": "▁"},
                             {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}]})",
        .decoder =
            R"({"type": "Sequence", "decoders": [{"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
                          {"type": "ByteFallback"}, {"type": "Fuse"}, {"type": "Strip", "content": " ", "start": 1, "stop": 0}]})"};
}

HfJson tinyUnigram() {
    return {
        .model =
            R"({"type": "Unigram", "unk_id": 0, "vocab": [["<unk>", 0], ["▁", -2], ["a", -3], ["b", -3], ["ab", -4],
                        ["▁ab", -5]]})",
        .preTokenizer = R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})",
        .decoder = R"({"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always"})"};
}

HfJson tinyWordPiece() {
    return {
        .model =
            R"({"type": "WordPiece", "unk_token": "[UNK]", "max_input_chars_per_word": 12, "vocab": {"[UNK]": 0,
                        "[CLS]": 1, "[SEP]": 2, "play": 3, "##ing": 4, "##ed": 5, "a": 6, ".": 7, "中": 8}})",
        .addedTokens =
            R"([{"id": 0, "content": "[UNK]", "special": true}, {"id": 1, "content": "[CLS]", "special": true}])",
        .normalizer = R"({"type": "BertNormalizer"})",
        .preTokenizer = R"({"type": "BertPreTokenizer"})",
        .decoder = R"({"type": "WordPiece"})",
        .postProcessor = R"({"type": "BertProcessing", "sep": ["[SEP]", 2], "cls": ["[CLS]", 1]})"};
}

std::string wordLevelModel(const std::vector<std::string>& words) {
    std::string entries = R"("<unk>": 0)";
    for (std::size_t i = 0; i < words.size(); ++i) {
        entries += fmt::format(R"(, "{}": {})", words[i], i + 1);
    }
    return fmt::format(R"({{"type": "WordLevel", "unk_token": "<unk>", "vocab": {{{}}}}})", entries);
}

std::string wireBytes(unsigned field, std::string_view bytes) {
    return varint((field << 3) | 2) + varint(bytes.size()) + std::string(bytes);
}

std::string wireInteger(unsigned field, std::uint64_t value) {
    return varint(field << 3) + varint(value);
}

std::string spmPiece(std::string_view text, float score, unsigned kind) {
    std::string piece = wireBytes(1, text) + varint((2 << 3) | 5);
    appendLittle(piece, std::bit_cast<std::uint32_t>(score));
    return wireBytes(1, piece + wireInteger(3, kind));
}

std::string tinySentencePiece(unsigned modelType, std::string_view charsMap) {
    const std::string pieces = spmPiece("<unk>", 0, 2) + spmPiece("<s>", 0, 3) + spmPiece("</s>", 0, 3) +
                               spmPiece("▁", -2) + spmPiece("a", -3) + spmPiece("b", -3) +
                               spmPiece("ab", -1) + spmPiece("▁ab", -1.5F);
    std::string normalizer = wireBytes(1, charsMap.empty() ? "identity" : "tiny");
    normalizer += charsMap.empty() ? "" : wireBytes(2, charsMap);
    return pieces + wireBytes(2, wireInteger(3, modelType)) + wireBytes(3, normalizer);
}

std::string tinyCharsMap() {
    // A double array with one key: unit 0 leads to the block at 256, 256 ^ 'A' holds "A", and 256 its value.
    std::vector<std::uint32_t> units(512);
    units[0] = 256U << 10;
    units[256 ^ 'A'] = ('A' << 10) | (1U << 8) | 'A';
    units[256] = 1U << 31;
    std::string map;
    appendLittle(map, static_cast<std::uint32_t>(units.size() * 4));
    for (const std::uint32_t unit : units) {
        appendLittle(map, unit);
    }
    return map + std::string("b\0", 2);
}

std::string tinyTiktoken() {
    std::string text;
    for (unsigned byte = 0; byte < 256; ++byte) {
        text += fmt::format("{} {}\n", base64(std::string(1, static_cast<char>(byte))), byte);
    }
    return text + fmt::format("{} 256\n{} 257\n", base64("ab"), base64("abc"));
}

std::string tinyTekken() {
    std::string vocabulary;
    for (unsigned rank = 0; rank < 257; ++rank) {
        const std::string bytes = rank < 256 ? std::string(1, static_cast<char>(rank)) : "ab";
        vocabulary += fmt::format(R"({}{{"rank": {}, "token_bytes": "{}"}})", rank > 0 ? ", " : "", rank,
                                  base64(bytes));
    }
    return fmt::format(
        R"({{"config": {{"pattern": "\\p{{L}}+|[^\\p{{L}}]", "num_vocab_tokens": 257, "default_vocab_size": 260, "default_num_special_tokens": 3, "version": "v3"}}, "vocab": [{}]}})",
        vocabulary);
}

std::string tinyLlama2c() {
    std::string file;
    const auto token = [&](float score, std::string_view text) {
        appendLittle(file, std::bit_cast<std::uint32_t>(score));
        appendLittle(file, static_cast<std::uint32_t>(text.size()));
        file += text;
    };
    for (const std::uint32_t number : {264U, 1U, 2U, 6U}) {
        appendLittle(file, number);
    }
    for (const std::string_view special : {"<unk>", "<s>", "</s>"}) {
        token(0, special);
    }
    for (unsigned byte = 0; byte < 256; ++byte) {
        token(0, fmt::format("<0x{:02X}>", byte));
    }
    token(-1, " ");
    token(-2, "a");
    token(-3, "b");
    token(-4, "ab");
    token(-5, " ab");
    return file;
}

std::unique_ptr<Tokenizer> opened(const std::string& bytes, const std::string& name) {
    auto result = inspector::openTokenizerBytes(bytes, name);
    EXPECT_TRUE(result) << result.error().toString();
    return result ? std::move(*result) : nullptr;
}

std::string refusal(const std::string& bytes, const std::string& name) {
    const auto result = inspector::openTokenizerBytes(bytes, name);
    return result ? "" : result.error().toString();
}

std::vector<TokenId> idsOf(const Tokenizer& tokenizer, std::string_view text,
                           inspector::SpecialTokens special) {
    auto ids = tokenizer.encode(text, special);
    EXPECT_TRUE(ids) << ids.error().toString();
    return ids.value_or(std::vector<TokenId>());
}

}  // namespace et::test
