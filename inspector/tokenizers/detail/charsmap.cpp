#include "inspector/tokenizers/detail/charsmap.h"

#include "runtime/core/byte_reader.h"
#include "runtime/core/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::inspector::tokenizers::detail {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;

// A unit of the trie: the label is in the low byte, bit 8 indicates a value, bit 9 widens the offset in the
// bits from 10 on; bit 31 marks a value.
constexpr std::uint32_t valueMark = std::uint32_t{1} << 31;
constexpr std::uint32_t offsetOf(std::uint32_t unit) {
    return (unit >> 10) << ((unit & (1U << 9)) >> 6);
}
constexpr bool hasValue(std::uint32_t unit) {
    return ((unit >> 8) & 1) != 0;
}
constexpr std::uint32_t labelOf(std::uint32_t unit) {
    return unit & (valueMark | 0xFF);
}

/// Maximum size of a replacement in bytes; the maps of Unicode's normalization forms need 33.
constexpr std::size_t longestReplacement = 256;

bool isUtf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t size = core::utf8SequenceLength(text);
        if (size == 0) {
            return false;
        }
        text.remove_prefix(size);
    }
    return true;
}

/// Length of the longest of several NUL-terminated texts.
std::size_t longestText(std::string_view texts) {
    std::size_t longest = 0;
    for (std::size_t at = 0; at < texts.size();) {
        const std::size_t size = texts.find('\0', at) - at;
        longest = std::max(longest, size);
        at += size + 1;
    }
    return longest;
}

}  // namespace

Result<CharsMap> CharsMap::open(std::string_view blob) {
    core::ByteReader reader(std::as_bytes(std::span(blob)));
    ET_ASSIGN(const auto size, reader.read<std::uint32_t>("trie size"));
    if (size % sizeof(std::uint32_t) != 0 || size == 0) {
        return fail(ErrorCode::Format, fmt::format("invalid trie size: {} bytes", size));
    }
    ET_ASSIGN(const core::Bytes trie, reader.take(size, "trie"));
    CharsMap map;
    map.units.resize(size / sizeof(std::uint32_t));
    core::ByteReader unitReader(trie);
    for (std::uint32_t& unit : map.units) {
        ET_ASSIGN(unit, unitReader.read<std::uint32_t>("trie"));
    }
    map.replacements = blob.substr(reader.position());
    if (!map.replacements.ends_with('\0') || !isUtf8(map.replacements)) {
        return fail(ErrorCode::Format, "the replacements are not NUL-terminated strings");
    }
    if (longestText(map.replacements) > longestReplacement) {
        return fail(ErrorCode::Limit, fmt::format("a replacement exceeds {} bytes", longestReplacement));
    }
    if ((map.units[0] & valueMark) != 0) {
        return fail(ErrorCode::Format, "the trie begins with a value");
    }
    for (std::uint32_t i = 0; i < map.units.size(); ++i) {
        const std::uint32_t unit = map.units[i];
        const std::uint32_t next = i ^ offsetOf(unit);
        const bool leaves = (next | 0xFF) >= map.units.size();
        if ((unit & valueMark) == 0 &&
            (leaves || (hasValue(unit) && (map.units[next] & ~valueMark) >= map.replacements.size()))) {
            return fail(ErrorCode::Format, fmt::format("trie unit {} points outside the trie", i));
        }
    }
    return map;
}

std::optional<std::string_view> CharsMap::shortest(std::string_view text) const {
    std::uint32_t at = offsetOf(units[0]);
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (byte == 0) {
            break;
        }
        at ^= byte;
        const std::uint32_t unit = units[at];
        if (labelOf(unit) != byte) {
            break;
        }
        at ^= offsetOf(unit);
        if (hasValue(unit)) {
            return std::string_view(replacements.c_str() + (units[at] & ~valueMark));
        }
    }
    return std::nullopt;
}

}  // namespace et::inspector::tokenizers::detail
