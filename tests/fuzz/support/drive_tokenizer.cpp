#include "tests/fuzz/support/drive_tokenizer.h"

#include "runtime/core/utf8.h"
#include "tests/fuzz/support/byte_source.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace et::fuzz {
namespace {

using inspector::SpecialTokens;
using inspector::TokenId;
using inspector::Tokenizer;
using Ids = std::vector<TokenId>;

constexpr std::size_t longestText = 4096;
constexpr std::size_t mostStreamed = 300;

bool isUtf8(std::string_view text) {
    return core::utf8Repaired(text) == text;
}

/// Returns the start of `text`, at most longestText bytes, without a partial character.
std::string_view startOf(std::string_view text) {
    std::size_t size = std::min(text.size(), longestText);
    while (size > 0 && size < text.size() && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) {
        --size;
    }
    return text.substr(0, size);
}

/// Returns the streamed text; empty if the stream refuses, which a decoder may do.
std::optional<std::string> streamed(const Tokenizer& tokenizer, std::span<const TokenId> ids) {
    inspector::TokenStream stream(tokenizer);
    std::string all;
    for (const TokenId id : ids) {
        const auto part = stream.push(id);
        if (!part) {
            std::ignore = part.error().toString();
            return std::nullopt;
        }
        require(isUtf8(*part));
        all += *part;
    }
    all += stream.flush();
    require(isUtf8(all) && stream.flush().empty());
    return all;
}

void decode(const Tokenizer& tokenizer, const Ids& ids) {
    const auto text = tokenizer.decode(ids);
    if (!text) {
        require(text.error().code == core::ErrorCode::Limit);
        return;
    }
    require(isUtf8(*text));
    const auto shown = streamed(tokenizer, std::span(ids).first(std::min(ids.size(), mostStreamed)));
    // Steps of Hugging Face decoders depend on neighbouring tokens, so a stream may differ.
    require(tokenizer.format().starts_with("hf-") || ids.size() > mostStreamed || shown == *text);
}

void encode(const Tokenizer& tokenizer, std::string_view text, SpecialTokens special) {
    const auto ids = tokenizer.encode(text, special);
    if (!ids) {
        require(ids.error().code != core::ErrorCode::InvalidArgument || !isUtf8(text));
        std::ignore = ids.error().toString();
        return;
    }
    require(isUtf8(text));
    require(std::ranges::all_of(*ids, [&](TokenId id) { return id < tokenizer.vocabularySize(); }));
    const auto again = tokenizer.encode(text, special);
    require(again && *again == *ids);
    decode(tokenizer, *ids);
}

std::string somePieces(const Tokenizer& tokenizer, std::mt19937& random) {
    std::string text;
    for (int count = 0; count < 12; ++count) {
        text += tokenizer.piece(static_cast<TokenId>(random() % tokenizer.vocabularySize()));
        text += random() % 3 == 0 ? " " : "";
    }
    return text;
}

void askAll(const Tokenizer& tokenizer, std::mt19937& random) {
    const std::size_t size = tokenizer.vocabularySize();
    require(tokenizer.bos().value_or(0) < size || size == 0);
    for (const TokenId id : tokenizer.eos()) {
        require(id < size);
    }
    std::ignore = tokenizer.ownTemplate();
    for (int count = 0; count < 16 && size > 0; ++count) {
        const auto id = static_cast<TokenId>(random() % size);
        const std::string piece = tokenizer.piece(id);
        const auto found = tokenizer.find(piece);
        require(!found || *found < size);
        std::ignore = tokenizer.isSpecial(id);
    }
    std::ignore = tokenizer.piece(static_cast<TokenId>(size));
    std::ignore = tokenizer.isSpecial(static_cast<TokenId>(size));
    require(!tokenizer.decode(Ids{static_cast<TokenId>(size)}));
}

}  // namespace

void driveTokenizer(const Tokenizer& tokenizer, std::string_view text) {
    std::mt19937 random(static_cast<unsigned>(std::hash<std::string_view>()(text)));
    askAll(tokenizer, random);
    encode(tokenizer, startOf(text), SpecialTokens::Recognised);
    if (!isUtf8(startOf(text))) {
        encode(tokenizer, core::utf8Repaired(startOf(text).substr(0, longestText / 4)),
               SpecialTokens::PlainText);
    }
    encode(tokenizer,
           "\xF0\x9F\xA4\x97 don't stop,  <|eot_id|>\xC3\xA9"
           "1234\n\n",
           SpecialTokens::PlainText);
    if (tokenizer.vocabularySize() == 0) {
        return;
    }
    encode(tokenizer, startOf(core::utf8Repaired(somePieces(tokenizer, random))), SpecialTokens::Recognised);
    Ids ids;
    for (int count = 0; count < 24; ++count) {
        ids.push_back(static_cast<TokenId>(random() % tokenizer.vocabularySize()));
    }
    decode(tokenizer, ids);
}

}  // namespace et::fuzz
