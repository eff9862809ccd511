#include "inspector/tokenizers/detail/byte_alphabet.h"

#include "runtime/core/utf8.h"

#include <array>
#include <cstdint>

namespace et::inspector::tokenizers::detail {
namespace {

constexpr std::uint16_t firstMoved = 0x100;
constexpr std::size_t movedCount = 68;

constexpr bool printsAsItself(unsigned byte) {
    return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

struct Alphabet {
    std::array<std::uint16_t, 256> characterOf{};
    std::array<std::uint8_t, movedCount> byteOfMoved{};
};

constexpr Alphabet alphabet = [] {
    Alphabet result;
    std::uint16_t moved = 0;
    for (unsigned byte = 0; byte < 256; ++byte) {
        if (printsAsItself(byte)) {
            result.characterOf[byte] = static_cast<std::uint16_t>(byte);
        } else {
            result.byteOfMoved[moved] = static_cast<std::uint8_t>(byte);
            result.characterOf[byte] = static_cast<std::uint16_t>(firstMoved + moved);
            ++moved;
        }
    }
    return result;
}();

}  // namespace

void appendByteCharacters(std::string_view bytes, std::string& out) {
    for (const char each : bytes) {
        const std::uint16_t character = alphabet.characterOf[static_cast<unsigned char>(each)];
        if (character < 0x80) {
            out += static_cast<char>(character);
        } else {
            out += static_cast<char>(0xC0 | (character >> 6));
            out += static_cast<char>(0x80 | (character & 0x3F));
        }
    }
}

std::optional<char> byteOfCharacter(char32_t character) {
    if (character < firstMoved) {
        return printsAsItself(character) ? std::optional(static_cast<char>(character)) : std::nullopt;
    }
    return character < firstMoved + movedCount
               ? std::optional(static_cast<char>(alphabet.byteOfMoved[character - firstMoved]))
               : std::nullopt;
}

std::optional<std::string> bytesOfCharacters(std::string_view token) {
    std::string bytes;
    while (!token.empty()) {
        const std::size_t size = core::utf8SequenceLength(token);
        const auto byte = size == 0 ? std::nullopt : byteOfCharacter(core::utf8Decode(token.substr(0, size)));
        if (!byte) {
            return std::nullopt;
        }
        bytes += *byte;
        token.remove_prefix(size);
    }
    return bytes;
}

}  // namespace et::inspector::tokenizers::detail
