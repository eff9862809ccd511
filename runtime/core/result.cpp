#include "runtime/core/result.h"

#include "runtime/core/utf8.h"

#include <fmt/format.h>

namespace et::core {
namespace {

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
