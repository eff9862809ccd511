#include "app/cli/dap/message_decoder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>

namespace et::cli::dap {
namespace {

using core::ErrorCode;
using core::Result;

constexpr std::string_view lengthField = "content-length";
constexpr std::string_view lineEnd = "\r\n";

std::unexpected<core::Error> wrong(ErrorCode code, std::string message) {
    return core::fail(code, std::move(message), {.file = {}, .field = "Content-Length", .offset = {}});
}

bool isLengthField(std::string_view name) {
    return std::ranges::equal(name, lengthField, [](char left, char right) {
        return std::tolower(static_cast<unsigned char>(left)) == right;
    });
}

/// The number of a field's value. At most one space precedes it.
Result<std::size_t> lengthOf(std::string_view value) {
    value.remove_prefix(value.starts_with(' ') ? 1 : 0);
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
    if (error != std::errc() || end != value.data() + value.size()) {
        return wrong(ErrorCode::Format, fmt::format("expected a number of bytes, got \"{:.40}\"", value));
    }
    if (length > MessageDecoder::maxMessageBytes) {
        return wrong(ErrorCode::Limit, fmt::format("expected at most {} bytes, got {}",
                                                   MessageDecoder::maxMessageBytes, length));
    }
    return length;
}

/// The number of bytes after a header, given without the empty line.
Result<std::size_t> lengthInHeader(std::string_view header) {
    std::optional<std::size_t> length;
    while (!header.empty()) {
        const std::size_t end = header.find(lineEnd);
        const std::string_view line = header.substr(0, end);
        header.remove_prefix(end == std::string_view::npos ? header.size() : end + lineEnd.size());
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) {
            return wrong(ErrorCode::Format, fmt::format("expected a header field, got \"{:.40}\"", line));
        }
        if (isLengthField(line.substr(0, colon))) {
            ET_ASSIGN(length, lengthOf(line.substr(colon + 1)));
        }
    }
    if (!length) {
        return wrong(ErrorCode::Format, "expected this header field, got none");
    }
    return *length;
}

}  // namespace

Result<std::optional<std::string>> MessageDecoder::next() {
    constexpr std::string_view headerEnd = "\r\n\r\n";
    const std::string_view start = std::string_view(pending).substr(0, maxHeaderBytes);
    const std::size_t end = start.find(headerEnd);
    if (end == std::string_view::npos) {
        if (start.size() == maxHeaderBytes) {
            return wrong(ErrorCode::Limit,
                         fmt::format("expected a header of at most {} bytes", maxHeaderBytes));
        }
        return std::nullopt;
    }
    ET_ASSIGN(const std::size_t length, lengthInHeader(start.substr(0, end)));
    const std::size_t body = end + headerEnd.size();
    if (pending.size() - body < length) {
        return std::nullopt;
    }
    std::string message = pending.substr(body, length);
    pending.erase(0, body + length);
    return message;
}

std::string encodeMessage(std::string_view json) {
    return fmt::format("Content-Length: {}\r\n\r\n{}", json.size(), json);
}

}  // namespace et::cli::dap
