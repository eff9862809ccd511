#include "inspector/tokenizers/tokenizer.h"

#include "inspector/tokenizers/detail/call_budget.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace et::inspector {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

/// Position of the first byte that is not valid UTF-8.
std::optional<std::size_t> firstBadByte(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        if (static_cast<unsigned char>(text[at]) < 0x80) {
            ++at;
            continue;
        }
        const std::size_t length = core::utf8SequenceLength(text.substr(at));
        if (length == 0) {
            return at;
        }
        at += length;
    }
    return std::nullopt;
}

std::unexpected<core::Error> unknownId(TokenId id, std::size_t size) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("token id {} is outside the vocabulary of {}", id, size));
}

}  // namespace

Result<std::vector<TokenId>> Tokenizer::encode(std::string_view text, SpecialTokens special) const {
    if (text.size() > maxTextBytes) {
        return fail(ErrorCode::Limit,
                    fmt::format("a text of {} bytes exceeds the maximum of {}", text.size(), maxTextBytes));
    }
    if (const auto bad = firstBadByte(text)) {
        return fail(ErrorCode::InvalidArgument, fmt::format("the text is not valid UTF-8: byte {}", *bad));
    }
    const tokenizers::detail::CallBudget budget(text.size());
    auto ids = encodeText(text, special);
    return ids ? std::move(ids) : std::unexpected(std::move(ids).error().in(file));
}

Result<std::string> Tokenizer::decode(std::span<const TokenId> ids) const {
    const std::size_t size = vocabularySize();
    const auto* const bad = std::ranges::find_if(ids, [&](TokenId id) { return id >= size; }).base();
    if (bad != ids.data() + ids.size()) {
        return unknownId(*bad, size);
    }
    return decodeIds(ids);
}

TokenStream::TokenStream(const Tokenizer& tokenizer)
    : size(tokenizer.vocabularySize()), decoder(tokenizer.stream()) {
}

Result<std::string> TokenStream::push(TokenId id) {
    return id < size ? decoder->push(id) : Result<std::string>(unknownId(id, size));
}

std::string TokenStream::flush() {
    return decoder->flush();
}

}  // namespace et::inspector
