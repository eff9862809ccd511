#include "runtime/core/result.h"

#include <fmt/format.h>

namespace et::core {
namespace {

/// Length of the well-formed UTF-8 sequence at the start of `text`, 0 where there is none.
std::size_t utf8SequenceLength(std::string_view text) {
    const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = at(0);
    std::size_t length = lead < 0x80 ? 1 : lead >= 0xC2 && lead < 0xE0 ? 2 : (lead & 0xF0) == 0xE0 ? 3 : 0;
    if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
    }
    if (length == 0 || length > text.size()) {
        return 0;
    }
    for (std::size_t i = 1; i < length; ++i) {
        if ((at(i) & 0xC0) != 0x80) {
            return 0;
        }
    }
    const bool overlong = (lead == 0xE0 && at(1) < 0xA0) || (lead == 0xF0 && at(1) < 0x90);
    const bool outside = (lead == 0xED && at(1) >= 0xA0) || (lead == 0xF4 && at(1) >= 0x90);
    return overlong || outside ? 0 : length;
}

bool isControl(std::string_view sequence) {
    const auto first = static_cast<unsigned char>(sequence[0]);
    if (sequence.size() == 1) {
        return first < 0x20 || first == 0x7F;
    }
    return first == 0xC2 && static_cast<unsigned char>(sequence[1]) < 0xA0;  // C1 controls
}

}  // namespace

std::string printable(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8SequenceLength(text);
        const std::string_view sequence = text.substr(0, length == 0 ? 1 : length);
        if (length == 0 || isControl(sequence)) {
            for (const char c : sequence) {
                fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(c));
            }
        } else {
            out += sequence;
        }
        text.remove_prefix(sequence.size());
    }
    return out;
}

std::string Error::toString() const {
    std::string place;
    if (!where.field.empty()) {
        place = printable(where.field);
    }
    if (where.offset) {
        place += fmt::format("{}at offset {}", place.empty() ? "" : " ", *where.offset);
    }
    std::string line;
    for (const std::string& part : {printable(where.file), place, printable(message)}) {
        if (!part.empty()) {
            line += (line.empty() ? "" : ": ") + part;
        }
    }
    return line;
}

Error Error::in(std::string_view file) && {
    if (where.file.empty()) {
        where.file = file;
    }
    return std::move(*this);
}

}  // namespace et::core
