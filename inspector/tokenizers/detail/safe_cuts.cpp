#include "inspector/tokenizers/detail/safe_cuts.h"

#include "runtime/core/utf8.h"

#include <algorithm>

namespace et::inspector::tokenizers::detail {
namespace {

struct NextCharacter {
    char32_t point;
    std::size_t size;
};

/// The character at the start; an invalid byte is mapped to a value beyond all characters.
NextCharacter nextCharacter(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x80) {
        return {.point = lead, .size = 1};
    }
    const std::size_t size = core::utf8SequenceLength(text);
    return size == 0 ? NextCharacter{.point = 0x110000U + lead, .size = 1}
                     : NextCharacter{.point = core::utf8Decode(text.substr(0, size)), .size = size};
}

std::uint64_t pairKey(char32_t left, char32_t right) {
    return (std::uint64_t{left} << 32) | right;
}

}  // namespace

void SafeCuts::add(std::string_view token) {
    char32_t previous = 0;
    for (std::size_t at = 0; at < token.size();) {
        const NextCharacter next = nextCharacter(token.substr(at));
        if (next.size == token.size() && next.point < ascii) {
            knownAscii.set(next.point);
        } else if (next.size == token.size()) {
            known.insert(next.point);
        }
        if (at > 0 && previous < ascii && next.point < ascii) {
            asciiPairs.set((std::size_t{previous} * ascii) + next.point);
        } else if (at > 0) {
            pairs.insert(pairKey(previous, next.point));
        }
        previous = next.point;
        at += next.size;
    }
}

bool SafeCuts::together(char32_t left, char32_t right) const {
    const auto isKnown = [&](char32_t point) {
        return point < ascii ? knownAscii.test(point) : known.contains(point);
    };
    const bool pair = left < ascii && right < ascii ? asciiPairs.test((std::size_t{left} * ascii) + right)
                                                    : pairs.contains(pairKey(left, right));
    const bool leftKnown = isKnown(left);
    const bool rightKnown = isKnown(right);
    return pair || (!leftKnown && !rightKnown) || (unknown == Unknown::Go && !(leftKnown && rightKnown));
}

std::size_t SafeCuts::piece(std::string_view text) const {
    NextCharacter left = nextCharacter(text);
    std::size_t at = left.size;
    while (at < text.size()) {
        const NextCharacter right = nextCharacter(text.substr(at));
        if (!together(left.point, right.point)) {
            break;
        }
        at += right.size;
        left = right;
    }
    return at;
}

}  // namespace et::inspector::tokenizers::detail
