#include "inspector/delegates/delegate_text.h"

#include "backends/payload_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace et::inspector {
namespace {

constexpr std::size_t longestSpec = 256;  ///< maximum bytes of a compile spec to show
constexpr std::size_t bytesALine = 16;

char shown(std::byte byte) {
    const auto code = std::to_integer<unsigned char>(byte);
    return code >= 0x20 && code < 0x7f ? static_cast<char>(code) : '.';
}

}  // namespace

std::string payloadBytesText(const backends::PayloadBytes& bytes) {
    std::string text = fmt::format("{} bytes known", bytes.known);
    if (bytes.opaque != 0) {
        text += fmt::format(", {} opaque", bytes.opaque);
    }
    if (bytes.padding != 0) {
        text += fmt::format(", {} padding", bytes.padding);
    }
    return text;
}

SpecText specText(std::string_view backend, const program::CompileSpec& spec) {
    const auto text = backends::asText(spec.value);
    const bool isReadable = text && text->size() <= longestSpec;
    return {.readable = isReadable,
            .text = isReadable ? std::string(*text) : backends::hexText(spec.value, longestSpec),
            .decoded = backends::decodeSpec(backend, spec)};
}

std::string rangesText(std::span<const std::int64_t> numbers) {
    std::string text;
    for (std::size_t first = 0; first < numbers.size();) {
        std::size_t last = first;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        text += text.empty() ? "" : ", ";
        text += last == first ? fmt::to_string(numbers[first])
                              : fmt::format("{}-{}", numbers[first], numbers[last]);
        first = last + 1;
    }
    return text.empty() ? "none" : text;
}

std::string hexDump(core::Bytes bytes, std::size_t max) {
    const core::Bytes head = bytes.first(std::min(max, bytes.size()));
    std::string out;
    for (std::size_t at = 0; at < head.size(); at += bytesALine) {
        const core::Bytes line = head.subspan(at, std::min(bytesALine, head.size() - at));
        fmt::format_to(std::back_inserter(out), "{:08x} ", at);
        for (std::size_t i = 0; i < bytesALine; ++i) {
            out += i % 8 == 0 ? " " : "";
            out += i < line.size() ? fmt::format("{:02x} ", std::to_integer<unsigned>(line[i])) : "   ";
        }
        out += ' ';
        std::ranges::transform(line, std::back_inserter(out), shown);
        out += '\n';
    }
    if (bytes.size() > head.size()) {
        out += fmt::format("and {} more bytes\n", bytes.size() - head.size());
    }
    return out;
}

}  // namespace et::inspector
