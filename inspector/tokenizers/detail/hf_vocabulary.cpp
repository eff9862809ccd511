#include "inspector/tokenizers/detail/hf_vocabulary.h"

#include <utility>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;

/// Limits on unused ids, so that a small file cannot cause large allocations.
constexpr std::uint64_t holesPerToken = 16;
constexpr std::uint64_t holesAlways = 4096;

}  // namespace

core::Result<HfVocabulary> readHfVocabulary(const JsonField& json) {
    ET_ASSIGN(const auto object, json.object());
    HfVocabulary result;
    const std::uint64_t highest =
        std::min<std::uint64_t>(maxTokens - 1, (object.size() * holesPerToken) + holesAlways);
    result.idOf.reserve(object.size());
    result.pieces.reserve(object.size());
    for (const auto member : object) {
        if (member.key.size() > maxTokenBytes) {
            return fail(ErrorCode::Limit, fmt::format("token too long: {} bytes", member.key.size()),
                        {.field = json.path()});
        }
        std::uint64_t id = 0;
        if (member.value.get(id) != simdjson::SUCCESS || id > highest) {
            return JsonField(member.value, fmt::format("{}[\"{}\"]", json.path(), member.key))
                .expected(fmt::format("an id from 0 to {}", highest));
        }
        if (id >= result.pieces.size()) {
            result.pieces.resize(id + 1);
        }
        result.pieces[id] = member.key;
        result.idOf.insert_or_assign(std::string(member.key), static_cast<TokenId>(id));
    }
    return result;
}

std::vector<std::optional<TokenId>> byteTokens(const HfVocabulary& vocabulary) {
    std::vector<std::optional<TokenId>> tokens(256);
    for (unsigned byte = 0; byte < tokens.size(); ++byte) {
        tokens[byte] = vocabulary.find(fmt::format("<0x{:02X}>", byte));
    }
    return tokens;
}

}  // namespace et::inspector::tokenizers::detail
