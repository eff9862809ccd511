#include "app/wire/codec.h"

#include <fmt/format.h>

namespace et::wire {

using core::ErrorCode;
using core::Result;

Result<double> Decoder::real(std::string_view field) {
    ET_ASSIGN(const auto bits, number<std::uint64_t>(field));
    return std::bit_cast<double>(bits);
}

Result<bool> Decoder::truth(std::string_view field) {
    ET_ASSIGN(const auto value, choice<std::uint8_t>(field, 2));
    return value == 1;
}

Result<core::Bytes> Decoder::block(std::string_view field) {
    ET_ASSIGN(const auto size, number<std::uint64_t>(field));
    return reader.take(size, field);
}

Result<std::string_view> Decoder::text(std::string_view field) {
    ET_ASSIGN(const core::Bytes raw, block(field));
    return std::string_view(reinterpret_cast<const char*>(raw.data()), raw.size());
}

Result<std::uint32_t> Decoder::count(std::string_view field, std::size_t itemBytes) {
    ET_ASSIGN(const auto items, number<std::uint32_t>(field));
    if (std::uint64_t{items} * itemBytes > reader.remaining()) {
        return core::fail(ErrorCode::Format,
                          fmt::format("expected {} items of {} bytes or more, got {} bytes", items, itemBytes,
                                      reader.remaining()),
                          {.file = {}, .field = std::string(field), .offset = reader.position()});
    }
    return items;
}

Result<> Decoder::end() const {
    if (!atEnd()) {
        return core::fail(
            ErrorCode::Format,
            fmt::format("expected the end of the message, got {} more bytes", reader.remaining()),
            {.file = {}, .field = {}, .offset = reader.position()});
    }
    return {};
}

std::unexpected<core::Error> Decoder::badChoice(std::string_view field, unsigned value, unsigned count) {
    return core::fail(ErrorCode::Format, fmt::format("expected a number below {}, got {}", count, value),
                      {.file = {}, .field = std::string(field), .offset = {}});
}

}  // namespace et::wire
