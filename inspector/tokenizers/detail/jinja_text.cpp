#include "inspector/tokenizers/detail/jinja_text.h"

#include <algorithm>

namespace et::inspector::tokenizers::detail::jinja {
namespace {

char upperLetter(char letter) {
    return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}
char lowerLetter(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

}  // namespace

std::vector<std::string_view> splitCharacters(std::string_view text) {
    std::vector<std::string_view> characters;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at + 1;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
            ++end;
        }
        characters.push_back(text.substr(at, end - at));
        at = end;
    }
    return characters;
}

std::string stripped(std::string_view text, std::string_view letters, bool left, bool right) {
    if (left) {
        text.remove_prefix(std::min(text.find_first_not_of(letters), text.size()));
    }
    if (right) {
        text = text.substr(0, text.find_last_not_of(letters) + 1);
    }
    return std::string(text);
}

std::string upper(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), upperLetter);
    return out;
}

std::string lower(std::string_view text) {
    std::string out(text);
    std::ranges::transform(out, out.begin(), lowerLetter);
    return out;
}

std::string capitalized(std::string_view text, bool eachWord) {
    std::string out = lower(text);
    bool begins = true;
    for (char& letter : out) {
        letter = begins ? upperLetter(letter) : letter;
        const bool isLetter = lowerLetter(letter) >= 'a' && lowerLetter(letter) <= 'z';
        begins = eachWord && !isLetter;
    }
    return out;
}

std::vector<std::string> split(std::string_view text, std::string_view separator, std::size_t most) {
    std::vector<std::string> parts;
    const bool atBlanks = separator.empty();
    while (true) {
        if (atBlanks) {
            text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
            if (text.empty()) {
                return parts;
            }
        }
        const std::size_t end = atBlanks ? text.find_first_of(blanks) : text.find(separator);
        if (end == std::string_view::npos || parts.size() >= most) {
            parts.push_back(atBlanks ? stripped(text, blanks, false, true) : std::string(text));
            return parts;
        }
        parts.emplace_back(text.substr(0, end));
        text.remove_prefix(end + (atBlanks ? 1 : separator.size()));
    }
}

std::string replaced(std::string_view text, std::string_view from, std::string_view to, std::size_t most) {
    std::string out;
    for (std::size_t count = 0; count < most; ++count) {
        const std::size_t at = text.find(from);
        if (at == std::string_view::npos) {
            break;
        }
        out += text.substr(0, at);
        out += to;
        text.remove_prefix(at + from.size());
    }
    return out + std::string(text);
}

}  // namespace et::inspector::tokenizers::detail::jinja
