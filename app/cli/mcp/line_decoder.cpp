#include "app/cli/mcp/line_decoder.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::cli::mcp {

void LineDecoder::append(std::string_view bytes) {
    if (isSkipping) {
        const std::size_t end = bytes.find('\n');
        if (end == std::string_view::npos) {
            return;
        }
        isSkipping = false;
        bytes.remove_prefix(end + 1);
    }
    pending += bytes;
}

core::Result<std::optional<std::string>> LineDecoder::next() {
    while (true) {
        const std::size_t end = pending.find('\n');
        if (end == std::string::npos && pending.size() <= maxLineBytes) {
            return std::nullopt;
        }
        std::string line = pending.substr(0, std::min(end, maxLineBytes + 1));
        pending.erase(0, end == std::string::npos ? end : end + 1);
        if (line.size() > maxLineBytes) {
            isSkipping = end == std::string::npos;
            return core::fail(core::ErrorCode::Limit,
                              fmt::format("expected a message of at most {} bytes", maxLineBytes));
        }
        if (line.find_first_not_of(" \t\r") != std::string::npos) {
            return line;
        }
    }
}

}  // namespace et::cli::mcp
