#include "inspector/tokenizers/detail/base64.h"

#include <cstdint>

namespace et::inspector::tokenizers::detail {
namespace {

std::optional<std::uint32_t> sextet(char letter) {
    if (letter >= 'A' && letter <= 'Z') {
        return letter - 'A';
    }
    if (letter >= 'a' && letter <= 'z') {
        return letter - 'a' + 26;
    }
    if (letter >= '0' && letter <= '9') {
        return letter - '0' + 52;
    }
    return letter == '+' ? std::optional(62U) : letter == '/' ? std::optional(63U) : std::nullopt;
}

}  // namespace

std::optional<std::string> base64Decoded(std::string_view text) {
    if (text.size() % 4 != 0) {
        return std::nullopt;
    }
    for (int pads = 0; pads < 2 && text.ends_with('='); ++pads) {
        text.remove_suffix(1);
    }
    std::string bytes;
    bytes.reserve(text.size() * 3 / 4);
    std::uint32_t bits = 0;
    std::uint32_t count = 0;
    for (const char letter : text) {
        const auto value = sextet(letter);
        if (!value) {
            return std::nullopt;
        }
        bits = (bits << 6) | *value;
        count += 6;
        if (count >= 8) {
            count -= 8;
            bytes += static_cast<char>((bits >> count) & 0xFF);
        }
    }
    return bytes;
}

}  // namespace et::inspector::tokenizers::detail
