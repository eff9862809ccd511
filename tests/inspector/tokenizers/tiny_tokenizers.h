#pragma once

#include "inspector/tokenizers/tokenizer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

// Tokenizers of a few tokens in every format, as the bytes of their files.
namespace et::test {

/// A Hugging Face tokenizer.json from the JSON of its parts; "null" where one is missing.
struct HfJson {
    std::string model;
    std::string addedTokens = "[]";
    std::string normalizer = "null";
    std::string preTokenizer = "null";
    std::string decoder = "null";
    std::string postProcessor = "null";

    [[nodiscard]] std::string text() const;
};

/// Byte-level BPE: "h" 0, "i" 1, "Ġ" 2, "t" 3, "hi" 4, "Ġt" 5, the bytes of U+1F600 6 to 9, and <|end|> 10.
[[nodiscard]] HfJson tinyByteLevel();
/// BPE of characters with 256 bytes after "<unk>" 0: "▁" 257, "a" 258, "b" 259, "▁a" 260, "ab" 261, "<s>"
/// 262.
[[nodiscard]] HfJson tinyByteFallback();
/// "<unk>" 0, "▁" 1, "a" 2, "b" 3, "ab" 4, "▁ab" 5.
[[nodiscard]] HfJson tinyUnigram();
/// "[UNK]" 0, "[CLS]" 1, "[SEP]" 2, "play" 3, "##ing" 4, "##ed" 5, "a" 6, "." 7, "中" 8.
[[nodiscard]] HfJson tinyWordPiece();
/// Every word is a token of `words`, by place; "<unk>" is 0.
[[nodiscard]] std::string wordLevelModel(const std::vector<std::string>& words);

/// A field of a protocol buffer.
[[nodiscard]] std::string wireBytes(unsigned field, std::string_view bytes);
[[nodiscard]] std::string wireInteger(unsigned field, std::uint64_t value);
/// A SentencePiece piece; kinds: 1 normal, 2 unknown, 3 control, 4 user defined, 6 byte.
[[nodiscard]] std::string spmPiece(std::string_view text, float score, unsigned kind = 1);
/// "<unk>" 0, "<s>" 1, "</s>" 2, "▁" 3, "a" 4, "b" 5, "ab" 6, "▁ab" 7; of unigrams (1) or BPE (2).
[[nodiscard]] std::string tinySentencePiece(unsigned modelType, std::string_view charsMap = "");
/// A normalization map that has "A" become "b".
[[nodiscard]] std::string tinyCharsMap();

/// The bytes 0 to 255, then "ab" 256, "abc" 257.
[[nodiscard]] std::string tinyTiktoken();
/// Three special ids, then the bytes and "ab".
[[nodiscard]] std::string tinyTekken();
/// "<unk>", "<s>", "</s>", 256 bytes, " " 259, "a" 260, "b" 261, "ab" 262, " ab" 263.
[[nodiscard]] std::string tinyLlama2c();

/// Opens bytes; a test failure and null where they are no tokenizer.
[[nodiscard]] std::unique_ptr<inspector::Tokenizer> opened(const std::string& bytes,
                                                           const std::string& name = "tiny.json");
/// What is wrong with bytes; "" where they open.
[[nodiscard]] std::string refusal(const std::string& bytes, const std::string& name = "tiny.json");
/// Ids of a text; a test failure and none where it has none.
[[nodiscard]] std::vector<inspector::TokenId> idsOf(
    const inspector::Tokenizer& tokenizer, std::string_view text,
    inspector::SpecialTokens special = inspector::SpecialTokens::Recognised);

}  // namespace et::test
