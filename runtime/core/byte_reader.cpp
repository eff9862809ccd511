#include "runtime/core/byte_reader.h"

#include <fmt/format.h>

namespace et::core {

Result<> ByteReader::seek(std::uint64_t offset, std::string_view field) {
    if (offset > bytes.size()) {
        return fail(
            ErrorCode::Format,
            fmt::format("expected an offset of at most {}, got {}", origin + bytes.size(), origin + offset),
            {.file = {}, .field = std::string(field), .offset = origin + at});
    }
    at = static_cast<std::size_t>(offset);
    return {};
}

Result<Bytes> ByteReader::take(std::uint64_t size, std::string_view field) {
    if (size > remaining()) {
        return fail(ErrorCode::Format, fmt::format("expected {} bytes, got {}", size, remaining()),
                    {.file = {}, .field = std::string(field), .offset = origin + at});
    }
    const Bytes taken = bytes.subspan(at, static_cast<std::size_t>(size));
    at += taken.size();
    return taken;
}

}  // namespace et::core
